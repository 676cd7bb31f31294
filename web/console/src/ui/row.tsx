import type { Row, RowMetadata } from "@quern/client";
import { useEffect, useRef, useState } from "react";
import { cell, count } from "../app/format";
import { Dialog } from "./dialog";
import type { GridColumn, WholeRow } from "./grid";
import { Icon, TypeIcon } from "./icon";
import { copy } from "./toast";
import { IconButton } from "./button";

const shown = 20_000;

/** One row with all of its values, and the file that it came from. */
export function RowDialog({
  title,
  row: seen,
  columns,
  whole,
  onClose,
}: {
  title: string;
  row: Row | undefined;
  columns: GridColumn[];
  whole?: () => Promise<WholeRow>;
  onClose: () => void;
}) {
  const [more, setMore] = useState<WholeRow>();
  const get = useRef(whole);
  useEffect(() => {
    let open = true;
    // Without an answer the row stays as the grid has it.
    void get
      .current?.()
      .then((found) => open && setMore(found))
      .catch(() => undefined);
    return () => {
      open = false;
    };
  }, []);
  const row = more?.row ?? seen;
  if (!row) return null;
  const source = (row["__metadata"] as RowMetadata | undefined)?.source;
  return (
    <Dialog title={title} isOpen onClose={onClose} wide>
      <div className="stack">
        {source && (
          <p className="row-source">
            <Icon name="file" size={14} />
            <span className="wrap-anywhere">
              {source.file}
              {source.member ? ` › ${source.member}` : ""}
            </span>
            <span className="quiet nowrap">
              {source.page ? `page ${count(source.page)}, ` : ""}row {count(source.row)}
            </span>
          </p>
        )}
        <dl className="row-values">
          {columns.map((column) => {
            const value = row[column.name];
            const text = cell(value);
            const length = more?.lengths[column.name] ?? text.length;
            return (
              <div key={column.name}>
                <dt>
                  <TypeIcon type={column.type} />
                  <span className="wrap-anywhere">{column.name}</span>
                </dt>
                <dd dir="auto" className={value === null || value === undefined ? "quiet" : "wrap-anywhere"}>
                  {value === null || value === undefined ? "no value" : text.length > shown ? `${text.slice(0, shown)}…` : text}
                  {length > Math.min(shown, text.length) && (
                    <span className="badge warn">
                      the first {count(Math.min(shown, text.length))} of {count(length)} characters
                    </span>
                  )}
                </dd>
                <dd>
                  {text && <IconButton label={`Copy ${column.name}`} icon="copy" size="s" onPress={() => void copy(text, "Value")} />}
                </dd>
              </div>
            );
          })}
        </dl>
      </div>
    </Dialog>
  );
}
