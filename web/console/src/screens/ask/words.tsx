import type { Word } from "@quern/client";
import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { Button as AriaButton } from "react-aria-components";
import { client } from "../../api/client";
import { dataset, datasets, knowledge, queries } from "../../api/queries";
import { Button } from "../../ui/button";
import { Popover } from "../../ui/dialog";
import { Select, TextField } from "../../ui/field";
import { errorText } from "../../ui/state";
import { toast } from "../../ui/toast";

interface Props {
  text: string;
  words: Word[] | undefined;
  owner: string;
  namespace: string;
  onAsk?: (question: string) => void;
}

const about = { matched: "found in the data", guessed: "a guess", unknown: "nothing in the data answers to it" };

/** A question with its words of content underlined: solid where matched, dotted where guessed, double where unknown. */
export function Words({ text, words, ...rest }: Props) {
  if (!words || words.length === 0) return <>{text}</>;
  const letters = Array.from(text);
  const parts: ReactNode[] = [];
  let at = 0;
  for (const word of words) {
    if (word.start < at || word.end > letters.length) continue;
    parts.push(letters.slice(at, word.start).join(""));
    parts.push(<WordButton key={word.start} word={word} {...rest} />);
    at = word.end;
  }
  parts.push(letters.slice(at).join(""));
  return <>{parts}</>;
}

function WordButton({ word, owner, namespace, onAsk }: { word: Word } & Omit<Props, "text" | "words">) {
  const [teaching, setTeaching] = useState(false);
  const others = word.instead ?? [];
  // Two readings may be told in the same words: the likelier one, which is first, stands for both.
  const instead = others.filter((one, i) => others.findIndex((other) => other.means === one.means) === i);
  return (
    <Popover
      label={`How “${word.text}” was read`}
      trigger={
        <AriaButton className={`word ${word.state}`} aria-label={`${word.text}: ${word.means ?? about[word.state]}`}>
          {word.text}
        </AriaButton>
      }
    >
      {(close) => (
        <>
          <div>
            <span className={`badge ${word.state === "matched" ? "good" : word.state === "guessed" ? "warn" : "bad"}`}>{word.state}</span>
            <p className="word-means">
              {word.means ? (
                <>
                  Read as <strong>{word.means}</strong>
                </>
              ) : (
                "Nothing in the data answers to this word."
              )}
            </p>
          </div>
          {onAsk && instead.length > 0 && (
            <div className="stack tight">
              <p className="label">Did you mean</p>
              {instead.map((other) => (
                <Button
                  key={other.question}
                  size="s"
                  className="choice"
                  onPress={() => {
                    close();
                    onAsk(other.question);
                  }}
                >
                  {other.means}
                </Button>
              ))}
            </div>
          )}
          {onAsk &&
            (teaching ? (
              <Teach word={word.text} owner={owner} namespace={namespace} onDone={close} />
            ) : (
              <Button size="s" kind="quiet" icon="edit" onPress={() => setTeaching(true)}>
                Teach what it means
              </Button>
            ))}
        </>
      )}
    </Popover>
  );
}

/** Says for good what a word means in a namespace. */
function Teach({ word, owner, namespace, onDone }: { word: string; owner: string; namespace: string; onDone: () => void }) {
  const all = useQuery(datasets);
  const known = useQuery(knowledge(owner, namespace));
  const names = (all.data ?? []).filter((entry) => entry.owner === owner && entry.namespace === namespace).map((entry) => entry.name);
  const [chosen, setChosen] = useState("");
  const name = chosen || names[0] || "";
  const described = useQuery({ ...dataset({ username: owner, namespace, datasetName: name }), enabled: name !== "" });
  const [column, setColumn] = useState("");
  const [value, setValue] = useState("");
  const [error, setError] = useState("");
  const [busy, setBusy] = useState(false);
  const teach = async () => {
    setBusy(true);
    setError("");
    const means = column ? `${name}.${column}` : name;
    try {
      await client.patch("/knowledge/{username}/{namespace}", {
        path: { username: owner, namespace },
        headers: { "If-Match": `"${known.data?.version ?? 0}"` },
        body: { merge: { words: [{ word, means, ...(column && value ? { value } : {}) }] } },
      });
      await queries.invalidateQueries({ queryKey: ["knowledge", owner, namespace] });
      toast(`“${word}” is taught; ask again to use it`);
      onDone();
    } catch (cause) {
      setError(errorText(cause));
      void known.refetch();
    }
    setBusy(false);
  };
  return (
    <form
      className="stack teach"
      onSubmit={(event) => {
        event.preventDefault();
        void teach();
      }}
    >
      <p className="label">
        In {namespace}, “{word}” means
      </p>
      <Select
        label="Dataset"
        size="s"
        options={names.map((one) => ({ id: one, name: one }))}
        value={name}
        onChange={(next) => {
          setChosen(next);
          setColumn("");
        }}
      />
      <Select
        label="Column"
        size="s"
        value={column}
        onChange={setColumn}
        placeholder="The dataset itself"
        options={(described.data?.metadata.columnNames ?? []).map((one) => ({ id: one, name: one }))}
      />
      {column && <TextField label="Value, if it stands for one" value={value} onChange={setValue} />}
      {error && (
        <p className="field-error" role="alert">
          {error}
        </p>
      )}
      <Button kind="primary" size="s" type="submit" busy={busy} isDisabled={!name || !known.data}>
        Teach
      </Button>
    </form>
  );
}
