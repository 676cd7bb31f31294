/** Reads JSON. A number that JavaScript would change, such as an integer of 64 bits, is given as its text. */
export function parse(text: string): unknown {
  return JSON.parse(/[\d.]{16}/.test(text) ? quoteLongNumbers(text) : text);
}

/** Puts the numbers that would be changed into quotes. Text in quotes is left alone. */
function quoteLongNumbers(text: string): string {
  let quoted = "";
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      at = endOfString(text, at);
      continue;
    }
    if (code !== 0x2d && (code < 0x30 || code > 0x39)) continue;
    let end = at + 1;
    while (end < text.length && "0123456789.eE+-".includes(text[end]!)) end++;
    const number = text.slice(at, end);
    if (number.length >= 16 && isChanged(number)) {
      quoted += `${text.slice(from, at)}"${number}"`;
      from = end;
    }
    at = end - 1;
  }
  return quoted + text.slice(from);
}

/** The index of the quote that ends a string. */
function endOfString(text: string, at: number): number {
  for (let end = at + 1; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (code === 0x5c) end++;
    else if (code === 0x22) return end;
  }
  return text.length;
}

const wellFormed = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Whether JavaScript would read another number; what is no number is left for JSON.parse to refuse. */
function isChanged(number: string): boolean {
  if (!wellFormed.test(number)) return false;
  const read = Number(number);
  return /^-?\d+$/.test(number) ? !Number.isSafeInteger(read) : digitsOf(number) !== digitsOf(String(read));
}

/** A number as its digits and the power of ten that they are counted in, however it is written. */
function digitsOf(number: string): string {
  const [mantissa = "", power = "0"] = number
    .replace("-", "")
    .toLowerCase()
    .split(/e(?=[+-]?\d+$)/);
  const [whole = "", fraction = ""] = mantissa.split(".");
  const digits = (whole + fraction).replace(/^0+/, "");
  const short = digits.replace(/0+$/, "");
  return short && `${short}e${Number(power) - fraction.length + digits.length - short.length}`;
}
