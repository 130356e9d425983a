import type { JSX } from 'preact';

/** A menu of actions. */
export function Choice({
  label,
  options,
}: {
  readonly label: string;
  readonly options: readonly (readonly [name: string, act: () => void])[];
}): JSX.Element {
  return (
    <select
      aria-label={label}
      value=""
      disabled={options.length === 0}
      onChange={(event) => {
        const place = Number(event.currentTarget.value);
        event.currentTarget.value = '';
        options[place]?.[1]();
      }}
    >
      <option value="" disabled>
        {label} …
      </option>
      {options.map(([name], index) => (
        <option key={name} value={String(index)}>
          {name}
        </option>
      ))}
    </select>
  );
}
