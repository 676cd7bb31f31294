import { useEffect, useRef, useState, type DragEvent } from "react";
import { Button } from "../../ui/button";
import { Icon } from "../../ui/icon";

/** Where files are dropped or chosen. Files may be dropped anywhere on the page. */
export function DropZone({ onFiles, compact }: { onFiles: (files: File[]) => void; compact?: boolean }) {
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  useEffect(() => {
    const keep = (event: globalThis.DragEvent) => event.preventDefault();
    const drop = (event: globalThis.DragEvent) => {
      event.preventDefault();
      setOver(false);
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length > 0) onFiles(files);
    };
    window.addEventListener("dragover", keep);
    window.addEventListener("drop", drop);
    return () => {
      window.removeEventListener("dragover", keep);
      window.removeEventListener("drop", drop);
    };
  }, [onFiles]);
  const move = (inside: boolean) => (event: DragEvent) => {
    event.preventDefault();
    setOver(inside);
  };
  return (
    <div
      className={`drop${over ? " over" : ""}${compact ? " compact" : ""}`}
      onDragEnter={move(true)}
      onDragOver={move(true)}
      onDragLeave={move(false)}
    >
      <span className="state-icon">
        <Icon name="upload" size={20} />
      </span>
      <p className="state-title">Drop files here</p>
      <p className="quiet">They are sent at once; nothing is stored in a dataset before you have seen what it becomes.</p>
      <Button kind="primary" onPress={() => input.current?.click()}>
        Choose files
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        className="visually-hidden"
        aria-label="Files"
        tabIndex={-1}
        onChange={(event) => {
          const files = [...(event.target.files ?? [])];
          event.target.value = "";
          if (files.length > 0) onFiles(files);
        }}
      />
    </div>
  );
}
