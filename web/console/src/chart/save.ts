import { save } from "../screens/ask/rows";

const drawn = ["fill", "stroke", "stroke-width", "opacity", "font-size", "font-weight", "stroke-dasharray", "stroke-linejoin"];

/** The drawing as a file of its own: every colour written out, on the page's ground. */
function standalone(svg: SVGSVGElement): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const [from, to] = [svg.querySelectorAll("*"), copy.querySelectorAll("*")];
  from.forEach((element, i) => {
    const style = getComputedStyle(element);
    const target = to[i]!;
    for (const name of drawn) target.setAttribute(name, style.getPropertyValue(name));
    target.removeAttribute("class");
  });
  const ground = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  ground.setAttribute("width", "100%");
  ground.setAttribute("height", "100%");
  ground.setAttribute("fill", getComputedStyle(document.documentElement).backgroundColor);
  copy.prepend(ground);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("font-family", "Inter, system-ui, sans-serif");
  copy.removeAttribute("class");
  return new XMLSerializer().serializeToString(copy);
}

export function saveSVG(svg: SVGSVGElement, name: string): void {
  save(`${name}.svg`, new Blob([standalone(svg)], { type: "image/svg+xml" }));
}

export async function savePNG(svg: SVGSVGElement, name: string): Promise<void> {
  const address = URL.createObjectURL(new Blob([standalone(svg)], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = svg.width.baseVal.value * 2;
    canvas.height = svg.height.baseVal.value * 2;
    canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((png) => png && save(`${name}.png`, png), "image/png");
  } finally {
    URL.revokeObjectURL(address);
  }
}
