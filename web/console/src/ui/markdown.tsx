import type { ReactNode } from "react";

/**
 * Draws the Markdown of an answer: paragraphs, lists, tables, bold, emphasis
 * and code. Everything else is text. Nothing of it becomes a link, a picture or
 * HTML, for values of the data are in it. Without `tables` those are left out,
 * where the rows stand below anyway.
 */
export function Markdown({ text, tables = true }: { text: string; tables?: boolean }) {
  const shown = blocks(text).filter((block) => tables || !isTable(block));
  return (
    <div className="prose" dir="auto">
      {shown.map((block, i) => (
        <Block key={i} lines={block} />
      ))}
    </div>
  );
}

function isTable(lines: string[]): boolean {
  return lines.length > 1 && lines[0]!.trim().startsWith("|") && /^[\s|:-]+$/.test(lines[1]!);
}

function blocks(text: string): string[][] {
  const found: string[][] = [];
  let open: string[] = [];
  for (const line of text.split(/\r?\n/)) {
    if (line.trim() !== "") {
      open.push(line);
      continue;
    }
    if (open.length > 0) found.push(open);
    open = [];
  }
  if (open.length > 0) found.push(open);
  return found;
}

const bullet = /^\s*[-*]\s+/;
const numbered = /^\s*\d+[.)]\s+/;

function Block({ lines }: { lines: string[] }) {
  const first = lines[0]!;
  if (isTable(lines)) return <Table lines={lines} />;
  if (lines.every((line) => bullet.test(line)))
    return (
      <ul>
        {lines.map((line, i) => (
          <li key={i}>{inline(line.replace(bullet, ""))}</li>
        ))}
      </ul>
    );
  if (lines.every((line) => numbered.test(line)))
    return (
      <ol>
        {lines.map((line, i) => (
          <li key={i}>{inline(line.replace(numbered, ""))}</li>
        ))}
      </ol>
    );
  const heading = /^#{1,6}\s+(.*)$/.exec(first);
  if (heading && lines.length === 1) return <p className="prose-heading">{inline(heading[1]!)}</p>;
  return <p>{inline(lines.join("\n"))}</p>;
}

function Table({ lines }: { lines: string[] }) {
  const [head, rule, ...body] = lines.map(cells);
  const right = rule!.map((cell) => cell.trim().endsWith(":"));
  return (
    <div className="scroll-x" tabIndex={0} role="region" aria-label="Table of the answer">
      <table className="table compact">
        <thead>
          <tr>
            {head!.map((cell, i) => (
              <th key={i} scope="col" className={right[i] ? "right" : ""}>
                {inline(cell)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {body.map((row, i) => (
            <tr key={i}>
              {row.map((cell, j) => (
                <td key={j} className={right[j] ? "right num" : ""} dir="auto">
                  {inline(cell)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function cells(line: string): string[] {
  const inner = line.trim().replace(/^\|/, "").replace(/\|$/, "");
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim());
}

const marks = /(?<!\\)(\*\*(?:\\.|[^*\\])+\*\*|`[^`]+`|\*(?:\\.|[^*\\\n])+\*|_(?:\\.|[^_\\\n])+_(?!\w))/;

function inline(text: string): ReactNode[] {
  return text.split(marks).map((part, i) => {
    if (i % 2 === 0) return plain(part);
    if (part.startsWith("**")) return <strong key={i}>{plain(part.slice(2, -2))}</strong>;
    if (part.startsWith("`")) return <code key={i}>{part.slice(1, -1)}</code>;
    return <em key={i}>{plain(part.slice(1, -1))}</em>;
  });
}

/** Takes the backslashes out with which the server kept values from being read as marks. */
function plain(text: string): string {
  return text.replace(/\\([\\`*_{}[\]()#+\-.!|<>~&])/g, "$1");
}
