import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, type KeyboardEvent } from "react";
import { datasets, me, spaces, type Space } from "../../api/queries";
import { useDraft } from "../../app/draft";
import { Button, IconButton } from "../../ui/button";
import { Select } from "../../ui/field";

/** The namespaces that can be asked about. */
export function useAskable(): Space[] {
  const user = useQuery(me);
  const all = useQuery(datasets);
  return user.data && all.data ? spaces(all.data, [], user.data.username) : [];
}

interface Props {
  /** Names the draft that is kept of what is typed. */
  draft: string;
  placeholder: string;
  onAsk: (question: string) => void;
  /** Where given, the namespace can be chosen. */
  space?: { value: string; onChange: (value: string) => void; options: Space[] };
  onStop?: () => void;
  autoFocus?: boolean;
  large?: boolean;
}

/** Where a question is typed. Enter asks, Shift and Enter begin a line. */
export function AskBox({ draft, placeholder, onAsk, space, onStop, autoFocus, large }: Props) {
  const [text, setText, clear] = useDraft(`ask.${draft}`);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (autoFocus) field.current?.focus();
  }, [autoFocus]);
  const send = () => {
    const question = text.trim();
    if (!question || onStop) return;
    clear();
    onAsk(question);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <form
      className={large ? "ask-box large" : "ask-box"}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <textarea
        ref={field}
        className="ask-text"
        aria-label="Your question"
        placeholder={placeholder}
        rows={1}
        dir="auto"
        maxLength={10_000}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKey}
      />
      <div className="ask-foot">
        {space && (
          <Select
            label="Namespace"
            hideLabel
            size="s"
            className="ask-space"
            value={space.value}
            onChange={space.onChange}
            placeholder="Namespace"
            options={space.options.map((one) => ({
              id: `${one.owner}/${one.name}`,
              name: one.name,
              about: one.mine ? undefined : `shared by ${one.owner}`,
            }))}
          />
        )}
        <span className="grow" />
        {onStop ? (
          <IconButton label="Stop" icon="stop" kind="plain" onPress={onStop} />
        ) : (
          <Button kind="primary" type="submit" isDisabled={!text.trim()}>
            Ask
          </Button>
        )}
      </div>
    </form>
  );
}
