import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "../../api/client";
import { definition, queries } from "../../api/queries";
import { count } from "../../app/format";
import { useDraft } from "../../app/draft";
import { Button } from "../../ui/button";
import { TextField } from "../../ui/field";
import { TypeIcon } from "../../ui/icon";
import { errorText, Failure, Loading, Note } from "../../ui/state";
import { toast } from "../../ui/toast";
import { useDataset } from "./dataset";

const most = 10_000;

interface Text {
  description: string;
  fields: Record<string, string>;
}

/** What the owner says about the dataset and its columns, which questions are read with. */
export function Definition() {
  const { at, about } = useDataset();
  const stored = useQuery(definition(at));
  if (stored.isError) return <Failure error={stored.error} retry={() => void stored.refetch()} />;
  if (!stored.data) return <Loading lines={6} />;
  const start: Text = { description: stored.data.dataDescription ?? "", fields: stored.data.schemaDefinition ?? {} };
  return <Editor key={JSON.stringify(start)} start={start} readOnly={about.dataset.role === "viewer"} />;
}

function Editor({ start, readOnly }: { start: Text; readOnly: boolean }) {
  const { at, about } = useDataset();
  const [kept, keep, clear] = useDraft(`definition.${at.username}/${at.namespace}/${at.datasetName}`, JSON.stringify(start));
  const text = parseText(kept, start);
  const [busy, setBusy] = useState<"" | "save" | "propose">("");
  const [error, setError] = useState("");
  const set = (next: Text) => keep(JSON.stringify(next));
  const changed = JSON.stringify(text) !== JSON.stringify(start);
  const length = Array.from(text.description).length;
  const save = async () => {
    setBusy("save");
    setError("");
    try {
      const fields = Object.fromEntries(Object.entries(text.fields).filter(([, value]) => value.trim() !== ""));
      await client.put("/data/{username}/{namespace}/{datasetName}/inferDefinition", {
        path: at,
        body: { dataDescription: text.description, schemaDefinition: fields },
      });
      clear();
      await queries.invalidateQueries({
        predicate: ({ queryKey }) => (queryKey[0] === "definition" || queryKey[0] === "dataset") && queryKey[3] === at.datasetName,
      });
      toast("Definition saved");
    } catch (cause) {
      setError(errorText(cause));
    }
    setBusy("");
  };
  const propose = async () => {
    setBusy("propose");
    setError("");
    try {
      const rows = await client.get("/data/{username}/{namespace}/{datasetName}/rows", {
        path: at,
        query: { limit: 100, offset: 0, clip: 500 },
      });
      const body = { sample: rows.data, currentValue: { description: text.description, schema: text.fields } };
      const [schema, description] = await Promise.all([
        client.post("/infer/schema", { body }),
        client.post("/infer/description", { body }),
      ]);
      const fields = { ...schema.schema, ...Object.fromEntries(Object.entries(text.fields).filter(([, value]) => value.trim() !== "")) };
      set({ description: text.description.trim() || description.description, fields });
    } catch (cause) {
      setError(errorText(cause));
    }
    setBusy("");
  };
  return (
    <section className="tab-body narrow" aria-label="Definition">
      <div className="row between wrap">
        <p className="quiet">Questions are read with this: say what a row is, what columns mean, what codes stand for.</p>
        {!readOnly && (
          <Button icon="spark" busy={busy === "propose"} isDisabled={about.metadata.rowCount === 0} onPress={() => void propose()}>
            Propose from the rows
          </Button>
        )}
      </div>
      <TextField
        label="Description"
        lines={5}
        isReadOnly={readOnly}
        value={text.description}
        onChange={(description) => set({ ...text, description })}
        hint={
          <span className="num">
            {count(length)} of {count(most)} characters
          </span>
        }
        error={length > most ? "too long" : undefined}
      />
      <fieldset className="stack">
        <legend className="label">Columns</legend>
        <div className="card">
          {about.metadata.columns.map((column) => (
            <div key={column.name} className="definition-row">
              <span className="row definition-name">
                <TypeIcon type={column.type} />
                <span className="wrap-anywhere" dir="auto">
                  {column.name}
                </span>
              </span>
              <TextField
                label={`Meaning of ${column.name}`}
                hideLabel
                isReadOnly={readOnly}
                value={text.fields[column.name] ?? ""}
                placeholder={column.examples.slice(0, 3).join(", ")}
                onChange={(value) => set({ ...text, fields: { ...text.fields, [column.name]: value } })}
              />
            </div>
          ))}
        </div>
      </fieldset>
      {error && <Note kind="bad">{error}</Note>}
      {!readOnly && (
        <div className="save-bar">
          {changed && <span className="quiet small">Not saved yet; kept in this browser.</span>}
          <span className="grow" />
          {changed && <Button onPress={() => set(start)}>Undo</Button>}
          <Button kind="primary" busy={busy === "save"} isDisabled={!changed || length > most} onPress={() => void save()}>
            Save
          </Button>
        </div>
      )}
    </section>
  );
}

function parseText(text: string, otherwise: Text): Text {
  try {
    const read = JSON.parse(text) as Text;
    return typeof read.description === "string" && typeof read.fields === "object" ? read : otherwise;
  } catch {
    return otherwise;
  }
}
