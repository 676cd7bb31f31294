import { useState, type ReactNode } from "react";
import {
  Dialog as AriaDialog,
  DialogTrigger,
  Heading,
  Modal,
  ModalOverlay,
  Popover as AriaPopover,
  type PopoverProps,
} from "react-aria-components";
import { Button, IconButton } from "./button";
import { TextField } from "./field";

interface Props {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
  /** What stands at the foot, right of the reader. */
  actions?: ReactNode;
  wide?: boolean;
  isKeyboardDismissDisabled?: boolean;
}

/** A window over the page. */
export function Dialog({ title, isOpen, onClose, children, actions, wide }: Props) {
  return (
    <ModalOverlay className="scrim" isOpen={isOpen} onOpenChange={(open) => !open && onClose()} isDismissable>
      <Modal className={wide ? "modal wide" : "modal"}>
        <AriaDialog className="dialog">
          <header className="dialog-head">
            <Heading slot="title" className="dialog-title">
              {title}
            </Heading>
            <IconButton label="Close" icon="close" size="s" onPress={onClose} />
          </header>
          <div className="dialog-body">{children}</div>
          {actions && <footer className="dialog-foot">{actions}</footer>}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

interface ConfirmProps {
  title: string;
  children: ReactNode;
  action: string;
  /** A name that has to be typed first, for what cannot be undone. */
  name?: string;
  isOpen: boolean;
  onClose: () => void;
  onConfirm: () => Promise<unknown>;
}

/** Asks before something that cannot be undone. */
export function Confirm({ title, children, action, name, isOpen, onClose, onConfirm }: ConfirmProps) {
  const [typed, setTyped] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState("");
  const close = () => {
    setTyped("");
    setError("");
    onClose();
  };
  const confirm = async () => {
    setBusy(true);
    setError("");
    try {
      await onConfirm();
      close();
    } catch (cause) {
      setError(cause instanceof Error ? cause.message : String(cause));
    }
    setBusy(false);
  };
  const ready = !name || typed === name;
  return (
    <Dialog
      title={title}
      isOpen={isOpen}
      onClose={close}
      actions={
        <>
          <Button onPress={close}>Cancel</Button>
          <Button kind="danger" isDisabled={!ready} busy={busy} onPress={() => void confirm()}>
            {action}
          </Button>
        </>
      }
    >
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (ready) void confirm();
        }}
      >
        <div className="quiet">{children}</div>
        {name && <TextField label={`Type ${name} to confirm`} value={typed} onChange={setTyped} autoFocus autoComplete="off" />}
        {error && (
          <p className="note bad" role="alert">
            {error}
          </p>
        )}
      </form>
    </Dialog>
  );
}

/** A small window beside what opened it. */
export function Popover({
  trigger,
  label,
  children,
  placement = "bottom start",
  className = "",
  ...rest
}: { trigger: ReactNode; label: string; children: ReactNode | ((close: () => void) => ReactNode); className?: string } & Omit<
  PopoverProps,
  "children" | "trigger" | "className"
>) {
  return (
    <DialogTrigger>
      {trigger}
      <AriaPopover className={`popover ${className}`} placement={placement} offset={6} {...rest}>
        <AriaDialog className="popover-body" aria-label={label}>
          {({ close }) => <>{typeof children === "function" ? children(close) : children}</>}
        </AriaDialog>
      </AriaPopover>
    </DialogTrigger>
  );
}
