import type { ColumnOption, PreviewColumn, PreviewTable } from "@quern/client";
import { cell, count, counted, isNumber, shownCell, typeName } from "../../app/format";
import { Select } from "../../ui/field";
import { Icon } from "../../ui/icon";
import { Note } from "../../ui/state";

const types = ["text", "integer", "double", "date", "timestamp", "boolean"].map((id) => ({ id, name: typeName(id) }));
const orders = [
  { id: "auto", name: "order as found" },
  { id: "dmy", name: "day month year" },
  { id: "mdy", name: "month day year" },
  { id: "ymd", name: "year month day" },
];
const decimals = [
  { id: "auto", name: "sign as found" },
  { id: ".", name: "1.5" },
  { id: ",", name: "1,5" },
];

interface Props {
  table: PreviewTable;
  options: Record<string, ColumnOption>;
  onChange: (name: string, option: ColumnOption | undefined) => void;
  /** Whether it is said which dataset it goes into. */
  named: boolean;
}

/** A table as it would be stored: its columns, which can be read otherwise, and its first rows. */
export function TablePreview({ table, options, onChange, named }: Props) {
  const misfits = table.columns.filter((column) => column.misfits);
  return (
    <article className="card preview">
      <header className="card-head">
        <h3 className="row">
          <Icon name="file" size={15} />
          <span className="wrap-anywhere" dir="auto">
            {table.filename}
            {table.member ? ` › ${table.member}` : ""}
          </span>
          {named && table.dataset && <span className="badge">{table.dataset}</span>}
        </h3>
        <span className="count">
          {[table.format, table.detail].filter(Boolean).join(", ")} · {counted(table.rows, "row")}
          {!table.complete && " or more"}
        </span>
      </header>
      {(table.notes.length > 0 || misfits.length > 0 || table.rejected.length > 0) && (
        <div className="preview-notes">
          {misfits.map((column) => (
            <Misfit key={column.name} column={column} />
          ))}
          {table.rejected.length > 0 && (
            <Note kind="warn">
              {counted(table.rejectedRows, "row")} cannot be read:{" "}
              {table.rejected
                .slice(0, 3)
                .map((row) => `${row.line ? `line ${count(row.line)}` : `row ${count(row.row)}`}, ${row.reason}`)
                .join("; ")}
              .
            </Note>
          )}
          {table.notes.map((note) => (
            <p key={note} className="quiet small">
              {note}
            </p>
          ))}
        </div>
      )}
      <div className="scroll-x" tabIndex={0} role="region" aria-label={`First rows of ${table.filename}`}>
        <table className="preview-table">
          <thead>
            <tr>
              {table.columns.map((column) => (
                <th key={column.name} scope="col">
                  <Head column={column} option={options[column.name]} onChange={(option) => onChange(column.name, option)} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {table.sample.slice(0, 8).map((row, i) => (
              <tr key={i}>
                {table.columns.map((column, c) => {
                  const value: unknown = row[c];
                  const text = shownCell(value, column.type);
                  return (
                    <td
                      key={column.name}
                      dir="auto"
                      className={`${isNumber(column.type) ? "right num" : ""}${value === null ? " none" : ""}`}
                      title={cell(value).slice(0, 500)}
                    >
                      {text.length > 60 ? `${text.slice(0, 60)}…` : text}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {table.sample.length > 0 && (
        <p className="preview-foot count">
          {Math.min(8, table.sample.length)} of {counted(table.rows, "row")}
        </p>
      )}
    </article>
  );
}

/** The types to choose from, each once. What was found is known as long as nothing else is chosen. */
function typesFor(column: PreviewColumn, chosen: string) {
  if (chosen !== "auto") return [{ id: "auto", name: "as found" }, ...types];
  const found = typeName(column.type);
  return [{ id: "auto", name: found }, ...types.filter((one) => one.name !== found)];
}

function Head({
  column,
  option,
  onChange,
}: {
  column: PreviewColumn;
  option: ColumnOption | undefined;
  onChange: (option: ColumnOption | undefined) => void;
}) {
  const type = option?.type ?? "auto";
  const shown = type === "auto" ? column.type : type;
  const set = (part: { type?: string; dateOrder?: string; decimal?: string }) => {
    const next = { type, dateOrder: option?.dateOrder ?? "auto", decimal: option?.decimal ?? "auto", ...part };
    const kept = Object.fromEntries(Object.entries(next).filter(([, value]) => value !== "auto")) as ColumnOption;
    onChange(Object.keys(kept).length > 0 ? kept : undefined);
  };
  return (
    <div className="preview-head">
      <span className="row">
        <span className="ellipsis" title={column.original} dir="auto">
          {column.name}
        </span>
        {column.unit && <span className="badge">{column.unit}</span>}
        {!column.added && <span className="badge">known</span>}
      </span>
      <Select
        label={`Type of ${column.name}`}
        hideLabel
        size="s"
        options={typesFor(column, type)}
        value={type}
        onChange={(id) => set({ type: id, dateOrder: "auto", decimal: "auto" })}
      />
      {(shown === "date" || shown === "timestamp") && (
        <Select
          label={`Order of the dates of ${column.name}`}
          hideLabel
          size="s"
          options={orders}
          value={option?.dateOrder ?? "auto"}
          onChange={(id) => set({ dateOrder: id })}
        />
      )}
      {isNumber(shown) && shown !== "integer" && (
        <Select
          label={`Decimal sign of ${column.name}`}
          hideLabel
          size="s"
          options={decimals}
          value={option?.decimal ?? "auto"}
          onChange={(id) => set({ decimal: id })}
        />
      )}
    </div>
  );
}

function Misfit({ column }: { column: PreviewColumn }) {
  const { cells, type, examples } = column.misfits!;
  const are = `${counted(cells, "value")} ${cells === 1 ? "is" : "are"} no ${typeName(type)}`;
  return (
    <Note kind="warn">
      <strong className="wrap-anywhere">{column.name}</strong>: {are}, such as{" "}
      {examples
        .slice(0, 3)
        .map((one) => `“${one.text}”${one.line ? ` (line ${count(one.line)})` : ` (row ${count(one.row)})`}`)
        .join(", ")}
      .{column.type !== "text" ? " Choose text to keep them." : ""}
    </Note>
  );
}
