import type { ColumnDescription } from "@quern/client";
import { useEffect, useState } from "react";
import { isNumber } from "../../app/format";
import { Button } from "../../ui/button";
import { Popover } from "../../ui/dialog";
import { Select, TextField } from "../../ui/field";
import { Icon } from "../../ui/icon";

const comparisons: Record<string, { id: string; name: string }[]> = {
  number: [
    { id: "==", name: "is" },
    { id: "!=", name: "is not" },
    { id: ">", name: "is more than" },
    { id: ">=", name: "is at least" },
    { id: "<", name: "is less than" },
    { id: "<=", name: "is at most" },
  ],
  time: [
    { id: "==", name: "is" },
    { id: ">=", name: "is on or after" },
    { id: "<", name: "is before" },
  ],
  boolean: [{ id: "==", name: "is" }],
  text: [
    { id: "==", name: "is" },
    { id: "!=", name: "is not" },
  ],
};

function familyOf(type: string): string {
  return isNumber(type) ? "number" : type === "date" || type === "timestamp" ? "time" : type === "boolean" ? "boolean" : "text";
}

/** Filters rows: conditions are added one by one, and the whole can be written by hand. */
export function FilterBar({
  columns,
  filter,
  onChange,
}: {
  columns: ColumnDescription[];
  filter: string;
  onChange: (filter: string) => void;
}) {
  const [text, setText] = useState(filter);
  useEffect(() => setText(filter), [filter]);
  return (
    <>
      <Popover
        label="Filter"
        trigger={
          <Button size="s" icon="filter" kind={filter ? "plain" : "quiet"}>
            Filter
          </Button>
        }
      >
        {(close) => (
          <Condition
            columns={columns}
            onAdd={(condition) => {
              onChange(filter ? `${filter} && ${condition}` : condition);
              close();
            }}
          />
        )}
      </Popover>
      {filter && (
        <form
          className="filter-text"
          onSubmit={(event) => {
            event.preventDefault();
            onChange(text.trim());
          }}
        >
          <input
            className="input mono"
            aria-label="Filter"
            spellCheck={false}
            value={text}
            onChange={(event) => setText(event.target.value)}
            onBlur={() => text.trim() !== filter && onChange(text.trim())}
          />
          <Button size="s" kind="quiet" icon="close" aria-label="Clear the filter" onPress={() => onChange("")} />
        </form>
      )}
    </>
  );
}

function Condition({ columns, onAdd }: { columns: ColumnDescription[]; onAdd: (condition: string) => void }) {
  const [name, setName] = useState(columns[0]?.name ?? "");
  const [comparison, setComparison] = useState("==");
  const [value, setValue] = useState("");
  const column = columns.find((one) => one.name === name);
  const family = familyOf(column?.type ?? "text");
  const known = comparisons[family]!;
  const chosen = known.some((one) => one.id === comparison) ? comparison : "==";
  const bad = family === "number" && value !== "" && !Number.isFinite(Number(value));
  const add = () => {
    if (bad || value === "") return;
    const literal =
      family === "number" || family === "boolean" ? value.trim() : `"${value.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
    onAdd(`${/^[A-Za-z_]\w*$/.test(name) ? name : `"${name.replaceAll('"', '\\"')}"`} ${chosen} ${literal}`);
  };
  return (
    <form
      className="stack condition"
      onSubmit={(event) => {
        event.preventDefault();
        add();
      }}
    >
      <Select
        label="Column"
        size="s"
        value={name}
        onChange={(next) => {
          setName(next);
          setValue("");
        }}
        options={columns.map((one) => ({ id: one.name, name: one.name, about: one.type }))}
      />
      <Select label="Comparison" size="s" value={chosen} onChange={setComparison} options={known} />
      {family === "boolean" ? (
        <Select
          label="Value"
          size="s"
          value={value}
          onChange={setValue}
          options={[
            { id: "true", name: "yes" },
            { id: "false", name: "no" },
          ]}
        />
      ) : (
        <TextField
          label="Value"
          value={value}
          onChange={setValue}
          placeholder={column?.examples[0]}
          error={bad ? "a number is needed" : undefined}
        />
      )}
      <Button kind="primary" size="s" type="submit" isDisabled={value === "" || bad}>
        <Icon name="plus" size={14} />
        Add the condition
      </Button>
    </form>
  );
}
