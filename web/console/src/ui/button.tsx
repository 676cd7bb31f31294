import type { ReactNode } from "react";
import { Button as AriaButton, Tooltip, TooltipTrigger, type ButtonProps } from "react-aria-components";
import { Icon, type IconName } from "./icon";

interface Props extends Omit<ButtonProps, "children" | "className"> {
  children?: ReactNode;
  kind?: "primary" | "plain" | "quiet" | "danger";
  icon?: IconName;
  size?: "s" | "m";
  busy?: boolean;
  className?: string;
}

/** What a button is while it is busy: it keeps the focus and does nothing. */
const idle: Pick<ButtonProps, "onPress" | "type"> = { onPress: undefined, type: "button" };

/** A button with a text. While `busy` it shows so and takes no press. */
export function Button({ children, kind = "plain", icon, size = "m", busy, className = "", ...rest }: Props) {
  return (
    <AriaButton {...rest} {...(busy ? idle : {})} className={`button ${kind} ${size} ${busy ? "busy" : ""} ${className}`}>
      {busy ? <span className="spinner" /> : icon && <Icon name={icon} size={size === "s" ? 14 : 16} />}
      {children && <span>{children}</span>}
    </AriaButton>
  );
}

/** A button that is an icon alone, with its name as a hint. */
export function IconButton({
  label,
  icon,
  size = "m",
  kind = "quiet",
  className = "",
  ...rest
}: Omit<Props, "children" | "busy"> & { label: string; icon: IconName }) {
  return (
    <TooltipTrigger delay={500} closeDelay={0}>
      <AriaButton {...rest} aria-label={label} className={`button only ${kind} ${size} ${className}`}>
        <Icon name={icon} size={size === "s" ? 14 : 16} />
      </AriaButton>
      <Tooltip className="hint" offset={6}>
        {label}
      </Tooltip>
    </TooltipTrigger>
  );
}
