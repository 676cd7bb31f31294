import type { ReactNode } from "react";
import {
  Button as AriaButton,
  Checkbox as AriaCheckbox,
  FieldError,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  Radio,
  RadioGroup,
  Select as AriaSelect,
  SelectValue,
  Text,
  TextArea,
  TextField as AriaTextField,
  type Key,
  type TextFieldProps,
} from "react-aria-components";
import { Icon } from "./icon";

interface FieldProps extends Omit<TextFieldProps, "className" | "children"> {
  label: string;
  hideLabel?: boolean;
  hint?: ReactNode;
  error?: string;
  placeholder?: string;
  lines?: number;
  mono?: boolean;
  className?: string;
}

/** A line of text, or several, with its label. */
export function TextField({ label, hideLabel, hint, error, placeholder, lines, mono, className = "", ...rest }: FieldProps) {
  const style = mono ? "input mono" : "input";
  return (
    <AriaTextField {...rest} isInvalid={Boolean(error)} className={`field ${className}`}>
      <Label className={hideLabel ? "visually-hidden" : "label"}>{label}</Label>
      {lines ? (
        <TextArea className={style} rows={lines} placeholder={placeholder} dir="auto" />
      ) : (
        <Input className={style} placeholder={placeholder} />
      )}
      {hint && (
        <Text slot="description" className="field-hint">
          {hint}
        </Text>
      )}
      {error && <FieldError className="field-error">{error}</FieldError>}
    </AriaTextField>
  );
}

export interface Option {
  id: string;
  name: string;
  about?: string;
}

interface SelectProps {
  label: string;
  hideLabel?: boolean;
  options: Option[];
  value: string;
  onChange: (id: string) => void;
  size?: "s" | "m";
  isDisabled?: boolean;
  placeholder?: string;
  className?: string;
}

/** One of a list. */
export function Select({ label, hideLabel, options, value, onChange, size = "m", isDisabled, placeholder, className = "" }: SelectProps) {
  return (
    <AriaSelect
      className={`field ${className}`}
      selectedKey={value || null}
      onSelectionChange={(key: Key | null) => key !== null && onChange(String(key))}
      isDisabled={isDisabled}
      placeholder={placeholder}
      aria-label={hideLabel ? label : undefined}
    >
      {!hideLabel && <Label className="label">{label}</Label>}
      <AriaButton className={`input select ${size}`}>
        <SelectValue className="ellipsis">
          {({ selectedText, isPlaceholder }) => (isPlaceholder ? <span className="quiet">{placeholder ?? "Choose"}</span> : selectedText)}
        </SelectValue>
        <Icon name="down" size={12} />
      </AriaButton>
      <Popover className="popover list" offset={4}>
        <ListBox className="options" items={options}>
          {(option) => (
            <ListBoxItem id={option.id} textValue={option.name} className="option">
              {({ isSelected }) => (
                <>
                  <span className="grow">
                    <span className="option-name">{option.name}</span>
                    {option.about && <span className="option-about">{option.about}</span>}
                  </span>
                  {isSelected && <Icon name="check" size={14} />}
                </>
              )}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaSelect>
  );
}

/** A choice that is on or off. */
export function Checkbox({
  children,
  hint,
  ...rest
}: {
  children: ReactNode;
  hint?: string;
  isSelected: boolean;
  onChange: (on: boolean) => void;
  isDisabled?: boolean;
}) {
  return (
    <AriaCheckbox {...rest} className="checkbox">
      {({ isSelected }) => (
        <>
          <span className="box">{isSelected && <Icon name="check" size={12} />}</span>
          <span>
            <span>{children}</span>
            {hint && <span className="field-hint">{hint}</span>}
          </span>
        </>
      )}
    </AriaCheckbox>
  );
}

/** One of a few, side by side. */
export function Choice({
  label,
  options,
  value,
  onChange,
  hideLabel,
}: {
  label: string;
  options: Option[];
  value: string;
  onChange: (id: string) => void;
  hideLabel?: boolean;
}) {
  return (
    <RadioGroup className="field" value={value} onChange={onChange} orientation="horizontal" aria-label={hideLabel ? label : undefined}>
      {!hideLabel && <Label className="label">{label}</Label>}
      <div className="segments">
        {options.map((option) => (
          <Radio key={option.id} value={option.id} className="segment">
            {option.name}
          </Radio>
        ))}
      </div>
    </RadioGroup>
  );
}
