import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Store, useStore } from '../app-state.js';

export type MenuItem =
  | { readonly heading: string }
  | { readonly name: string; readonly act: () => void }
  /** Several in one line, behind a word. */
  | { readonly row: string; readonly choices: readonly (readonly [name: string, act: () => void])[] }
  | { readonly slider: string; readonly value: number; readonly onInput: (value: number) => void };

type Opened = readonly [label: string, items: readonly MenuItem[], at: Pick<DOMRect, 'left' | 'top' | 'bottom'>];

const menu = new Store<{ readonly opened: Opened | undefined }>({ opened: undefined });

export function openMenu(...opened: Opened): void {
  menu.set({ opened });
}

interface MenuButtonProps {
  readonly label: string;
  readonly items: () => readonly MenuItem[];
  readonly children: ComponentChildren;
  readonly class?: string;
  readonly disabled?: boolean;
}

export const MenuButton = ({ label, items, children, ...rest }: MenuButtonProps) => (
  <button
    aria-haspopup="dialog"
    {...rest}
    class={`has-menu ${rest.class ?? ''}`}
    onClick={(event) => openMenu(label, items(), event.currentTarget.getBoundingClientRect())}
  >
    {children}
  </button>
);

const GAP = 6;

/** The menu that was opened last: over everything, so that nothing moves. Escape and a click beside it close it. */
export function Menu() {
  const opened = useStore(menu, (state) => state.opened);
  const [label = 'Menu', items = []] = opened ?? [];
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { current } = box;
    if (current === null || opened === undefined) return;
    current.showPopover();
    const { width, height } = current.getBoundingClientRect();
    const [, , { left, top, bottom }] = opened;
    const below = bottom + GAP + height <= innerHeight;
    current.style.left = `${Math.max(GAP, Math.min(left, innerWidth - width - GAP))}px`;
    current.style.top = `${Math.max(GAP, below ? bottom + GAP : Math.min(top - GAP, innerHeight - GAP) - height)}px`;
    current.querySelector<HTMLElement>('button, input')?.focus();
  }, [opened]);
  const close = (): void => box.current?.hidePopover();
  const choose = (act: () => void) => (): void => {
    close();
    act();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (step === undefined || event.target instanceof HTMLInputElement) return;
    const buttons = [...(box.current?.querySelectorAll('button') ?? [])];
    const place = buttons.findIndex((button) => button === document.activeElement);
    buttons[(place + step + buttons.length) % buttons.length]?.focus();
    event.preventDefault();
  };
  return (
    <div class="menu" popover="auto" role="dialog" aria-label={label} ref={box} onKeyDown={onKeyDown}>
      {items.map((item, index) => (
        <MenuLine key={`${label} ${index}`} item={item} choose={choose} />
      ))}
    </div>
  );
}

function MenuLine({ item, choose }: Readonly<{ item: MenuItem; choose: (act: () => void) => () => void }>) {
  if ('heading' in item) return <p class="menu-heading">{item.heading}</p>;
  if ('slider' in item) {
    return (
      <label class="menu-row">
        {item.slider}{' '}
        <input
          type="range"
          min={0}
          max={100}
          value={item.value}
          onInput={(event) => item.onInput(Number(event.currentTarget.value))}
        />
      </label>
    );
  }
  if ('row' in item) {
    return (
      <p class="menu-row">
        {item.row}{' '}
        {item.choices.map(([name, act]) => (
          <button key={name} aria-label={`${item.row} ${name}`} onClick={choose(act)}>
            {name}
          </button>
        ))}
      </p>
    );
  }
  return (
    <button class="menu-item" onClick={choose(item.act)}>
      {item.name}
    </button>
  );
}
