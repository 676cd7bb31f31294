import type { Row, RowMetadata } from "@quern/client";
import { cell, count } from "../app/format";
import { Dialog } from "./dialog";
import type { GridColumn } from "./grid";
import { Icon, TypeIcon } from "./icon";
import { copy } from "./toast";
import { IconButton } from "./button";

const shown = 20_000;

/** One row with all of its values, and the file that it came from. */
export function RowDialog({ title, row, columns, onClose }: { title: string; row: Row | undefined; columns: GridColumn[]; onClose: () => void }) {
  if (!row) return null;
  const source = (row["__metadata"] as RowMetadata | undefined)?.source;
  return (
    <Dialog title={title} isOpen onClose={onClose} wide>
      <div className="stack">
        {source && (
          <p className="row-source"><Icon name="file" size={14} /><span className="wrap-anywhere">{source.file}{source.member ? ` › ${source.member}` : ""}</span><span className="quiet nowrap">row {count(source.row)}</span></p>
        )}
        <dl className="row-values">
          {columns.map((column) => {
            const value = row[column.name];
            const text = cell(value);
            return (
              <div key={column.name}>
                <dt><TypeIcon type={column.type} /><span className="wrap-anywhere">{column.name}</span></dt>
                <dd dir="auto" className={value === null || value === undefined ? "quiet" : "wrap-anywhere"}>
                  {value === null || value === undefined ? "no value" : text.length > shown ? `${text.slice(0, shown)}…` : text}
                  {text.length > shown && <span className="badge warn">the first {count(shown)} of {count(text.length)} characters</span>}
                </dd>
                <dd>{text && <IconButton label={`Copy ${column.name}`} icon="copy" size="s" onPress={() => void copy(text, "Value")} />}</dd>
              </div>
            );
          })}
        </dl>
      </div>
    </Dialog>
  );
}
