import { useEffect, useRef, useState } from 'preact/hooks';
import { hasErrors } from '../../core/problem.js';
import type { Problem } from '../../index.js';
import { app, type AppState, useApp, useStore } from '../app-state.js';
import type { ScenarioEditor } from '../editor.js';
import { loadPart } from '../parts.js';
import * as session from '../session.js';
import { counted, messageOf, visible, visibleLines } from '../number-format.js';
import { openingComment } from '../opening-comment.js';
import { Choice } from './controls.js';

/** More problems are in the margin of the text. */
const LISTED = 30;

export function EditorPanel() {
  const { files, active, revision, editing } = useApp('files', 'active', 'revision', 'editing');
  const problems = useStore(app, (state) => state.check?.problems);
  const place = useRef<HTMLDivElement>(null);
  const editor = useRef<ScenarioEditor | undefined>(undefined);
  const waking = useRef<Promise<ScenarioEditor | undefined> | undefined>(undefined);
  const [awake, setAwake] = useState(false);
  const [failed, fail] = useState('');
  /** Many look and never type: the editor is loaded when somebody comes near. */
  const wake = (): Promise<ScenarioEditor | undefined> =>
    (waking.current ??= loadPart('editor').then(
      (part) => {
        if (place.current === null) return undefined;
        setAwake(true);
        const made = new part.ScenarioEditor(place.current, session.edit);
        editor.current = made;
        made.show(app.now.files[app.now.active]?.text ?? '');
        made.showProblems(problemsOf(app.now));
        return made;
      },
      (error: unknown) => {
        waking.current = undefined;
        fail(messageOf(error));
        return undefined;
      },
    ));
  useEffect(() => () => editor.current?.destroy(), []);
  const file = files[active];
  const text = file?.text ?? '';
  const comment = openingComment(text);
  // Not for each text: an older text would overwrite what was typed in the meantime.
  useEffect(() => editor.current?.show(app.now.files[active]?.text ?? ''), [revision, active]);
  useEffect(() => editor.current?.showProblems(problemsOf(app.now)), [problems, file?.file]);
  const toggle = (
    <button class="text-toggle" aria-expanded={editing} onClick={() => app.set({ editing: !editing })}>
      Text {editing ? '◂' : '▸'}
    </button>
  );
  return (
    <>
      <div class="editor-head">
        {toggle}
        <h2 id="editor-title">{visible(file?.file ?? 'Scenario', 60)}</h2>
        {files.length > 1 && (
          <label>
            <span class="hidden">File</span>
            <Choice
              value={active}
              of={files.map((one, index) => [index, visible(one.file, 60)])}
              choose={(chosen) => app.set({ active: chosen })}
            />
          </label>
        )}
        <span class="verdict" data-bad={hasErrors(problems ?? [])} data-remarks={(problems?.length ?? 0) > 0}>
          {verdict(problems)}
        </span>
      </div>
      <div class="editor" onPointerEnter={() => void wake()}>
        <div ref={place} />
        {!awake && (
          <pre
            class="asleep"
            role="textbox"
            tabindex={0}
            aria-label="Scenario"
            aria-multiline="true"
            aria-readonly="true"
            onFocus={() => void wake().then((made) => made?.focus())}
          >
            {comment > 0 && '# …'}
            {visibleLines(text.slice(comment), Infinity)}
          </pre>
        )}
      </div>
      {failed !== '' && <p class="bad">{failed}</p>}
      {problems !== undefined && problems.length > 0 && (
        <ul class="problems" aria-label="Problems">
          {problems.slice(0, LISTED).map((problem, index) => (
            <li key={index} data-severity={problem.severity}>
              <button onClick={() => void wake().then((made) => made?.goTo(problem))}>
                <strong>
                  {problem.severity}
                  {problem.line > 0 && ` in line ${problem.line}`}
                </strong>{' '}
                {problem.path !== '' && <code>{visible(problem.path, 80)}</code>} {visibleLines(problem.message)}
              </button>
            </li>
          ))}
          {problems.length > LISTED && <li>and {counted(problems.length - LISTED, 'more', 'more')}</li>}
        </ul>
      )}
    </>
  );
}

function problemsOf({ files, active, check }: AppState): readonly Problem[] {
  const file = files[active]?.file;
  return check?.problems.filter((problem) => problem.file === file) ?? [];
}

function verdict(problems: readonly Problem[] | undefined): string {
  if (problems === undefined) return '';
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  const others = problems.length - errors;
  if (errors > 0) return `✕ ${counted(errors, 'error')}`;
  return others > 0 ? `! ${counted(others, 'remark')}` : '✓ no problems';
}
