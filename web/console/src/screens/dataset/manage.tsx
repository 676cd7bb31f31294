import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { client } from "../../api/client";
import { queries } from "../../api/queries";
import { counted } from "../../app/format";
import { Button } from "../../ui/button";
import { Confirm } from "../../ui/dialog";
import { TextField } from "../../ui/field";
import { errorText } from "../../ui/state";
import { toast } from "../../ui/toast";
import { useDataset, useGoTo } from "./dataset";

/** Another name, and what cannot be undone. */
export function Manage() {
  const { at, about } = useDataset();
  const [open, setOpen] = useState<"" | "clear" | "delete">("");
  const navigate = useNavigate();
  const { go } = useGoTo();
  const rename = async (name: string) => {
    await client.post("/data/{username}/{namespace}/{datasetName}/rename", { path: at, body: name });
    await queries.invalidateQueries({ queryKey: ["datasets"] });
    await go({ ...at, datasetName: name });
  };
  const clear = async () => {
    await client.post("/data/{username}/{namespace}/{datasetName}/clear", { path: at });
    await queries.invalidateQueries();
    toast("All rows are gone");
  };
  const remove = async () => {
    await client.delete("/data/{username}/{namespace}/{datasetName}/balefire", { path: at });
    await navigate({ to: "/data/$owner/$namespace", params: { owner: at.username, namespace: at.namespace }, replace: true });
    queries.removeQueries({ queryKey: ["dataset", at.username, at.namespace, at.datasetName] });
    await queries.invalidateQueries();
    toast(`${at.datasetName} is deleted`);
  };
  return (
    <section className="tab-body narrow" aria-label="Manage">
      <Rename name={at.datasetName} onRename={rename} />
      <div className="card danger-zone">
        <div className="list-row">
          <div className="grow">
            <h2>Remove all rows</h2>
            <p className="quiet small">{counted(about.metadata.rowCount, "row")} go for good. Definition and shares stay.</p>
          </div>
          <Button onPress={() => setOpen("clear")} isDisabled={about.metadata.rowCount === 0}>
            Remove rows
          </Button>
        </div>
        <div className="list-row">
          <div className="grow">
            <h2>Delete the dataset</h2>
            <p className="quiet small">Rows, definition, shares and links go for good.</p>
          </div>
          <Button kind="danger" onPress={() => setOpen("delete")}>
            Delete
          </Button>
        </div>
      </div>
      <Confirm
        title={`Remove all rows of ${at.datasetName}?`}
        action="Remove all rows"
        name={at.datasetName}
        isOpen={open === "clear"}
        onClose={() => setOpen("")}
        onConfirm={clear}
      >
        This cannot be undone.
      </Confirm>
      <Confirm
        title={`Delete ${at.datasetName}?`}
        action="Delete for good"
        name={at.datasetName}
        isOpen={open === "delete"}
        onClose={() => setOpen("")}
        onConfirm={remove}
      >
        This cannot be undone. Whoever it is shared with loses it too.
      </Confirm>
    </section>
  );
}

/** Gives something another name. */
export function Rename({ name, onRename }: { name: string; onRename: (name: string) => Promise<void> }) {
  const [text, setText] = useState(name);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState("");
  const rename = async () => {
    setBusy(true);
    setError("");
    try {
      await onRename(text.trim());
      toast(`It is called ${text.trim()} now`);
    } catch (cause) {
      setError(errorText(cause));
    }
    setBusy(false);
  };
  return (
    <form
      className="share-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== name) void rename();
      }}
    >
      <TextField label="Name" value={text} onChange={setText} error={error} className="grow" autoComplete="off" />
      <Button type="submit" busy={busy} isDisabled={!text.trim() || text.trim() === name}>
        Rename
      </Button>
    </form>
  );
}
