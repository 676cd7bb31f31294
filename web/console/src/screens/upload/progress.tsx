import type { UploadState } from "@quern/client";
import { bytes } from "../../app/format";
import { Button } from "../../ui/button";
import { Icon } from "../../ui/icon";
import { Note } from "../../ui/state";

function percent(sent: number, size: number): number {
  return size === 0 ? 100 : Math.floor((sent / size) * 100);
}

/** How much of each file, and of all, has arrived. */
export function Progress({
  state,
  onPause,
  onResume,
  onAbort,
}: {
  state: UploadState;
  onPause: () => void;
  onResume: () => void;
  onAbort: () => void;
}) {
  const whole = percent(state.sent, state.size);
  return (
    <section className="card upload" aria-label="Upload">
      <div className="card-head">
        <h2 className="num">
          {state.status === "paused" ? "Paused" : state.status === "failed" ? "Stopped" : "Sending"} · {whole} %
        </h2>
        <span className="count">
          {bytes(state.sent)} of {bytes(state.size)}
        </span>
      </div>
      <div className="upload-body">
        <Bar label="All files" value={whole} />
        {state.status === "failed" && <Note kind="bad">{state.error?.message} What has arrived is kept; go on when you like.</Note>}
        <ul className="stack">
          {state.files.map((file) => (
            <li key={file.fileId} className="upload-file">
              <div className="row">
                <Icon name={file.done ? "check" : "file"} size={14} />
                <span className="grow ellipsis" dir="auto">
                  {file.name}
                </span>
                <span className="count">
                  {bytes(file.sent)} of {bytes(file.size)}
                </span>
              </div>
              {!file.done && state.files.length > 1 && <Bar label={file.name} value={percent(file.sent, file.size)} />}
            </li>
          ))}
        </ul>
        <div className="row end">
          <Button kind="quiet" onPress={onAbort}>
            Give up
          </Button>
          {state.status === "running" ? (
            <Button icon="pause" onPress={onPause}>
              Pause
            </Button>
          ) : (
            <Button kind="primary" icon="play" onPress={onResume}>
              Go on
            </Button>
          )}
        </div>
      </div>
    </section>
  );
}

export function Bar({ label, value }: { label: string; value: number }) {
  return (
    <div className="progress" role="progressbar" aria-label={label} aria-valuenow={value} aria-valuemin={0} aria-valuemax={100}>
      <span style={{ width: `${value}%` }} />
    </div>
  );
}
