import type { ReactNode } from "react";
import { Menu as AriaMenu, MenuItem, MenuTrigger, Popover, Separator, type PopoverProps } from "react-aria-components";
import { Icon, type IconName } from "./icon";

export interface MenuEntry {
  id: string;
  name: string;
  icon?: IconName;
  danger?: boolean;
  /** Followed by the browser, where given. */
  href?: string;
  download?: boolean;
  onAction?: () => void;
  isDisabled?: boolean;
  about?: string;
}

/** A button's list of things to do; `null` draws a line. */
export function Menu({
  trigger,
  label,
  entries,
  placement = "bottom end",
}: {
  trigger: ReactNode;
  label: string;
  entries: (MenuEntry | null)[];
  placement?: PopoverProps["placement"];
}) {
  return (
    <MenuTrigger>
      {trigger}
      <Popover className="popover list" placement={placement} offset={4}>
        <AriaMenu className="options" aria-label={label}>
          {entries.map((entry, i) =>
            entry === null ? (
              <Separator key={`line-${i}`} className="options-line" />
            ) : (
              <MenuItem
                key={entry.id}
                id={entry.id}
                textValue={entry.name}
                className={entry.danger ? "option danger" : "option"}
                isDisabled={entry.isDisabled}
                href={entry.href}
                download={entry.download}
                onAction={entry.onAction}
                routerOptions={undefined}
              >
                {entry.icon && <Icon name={entry.icon} size={15} />}
                <span className="grow">
                  <span className="option-name">{entry.name}</span>
                  {entry.about && <span className="option-about">{entry.about}</span>}
                </span>
              </MenuItem>
            ),
          )}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}
