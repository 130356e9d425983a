import { autocompletion, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import * as language from '@codemirror/language';
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import * as editing from '@codemirror/view';
import { classHighlighter } from '@lezer/highlight';
import type { Problem } from '../index.js';
import { schemaCompletion } from './completion.js';
import { isCode } from './link.js';
import { openingComment } from './opening-comment.js';

/** A text of this length is shown without colours: it is a dump, and colouring it would take too long. */
const MAX_COLOURED = 1_000_000;

/** JSON Schema of a scenario, which lies in the same file. */
declare const lbsim_schema: Readonly<Record<string, unknown>>;

export class ScenarioEditor {
  private readonly view: editing.EditorView;
  /** The text is being replaced by the page, not by the user. */
  private replacing = false;

  constructor(
    parent: HTMLElement,
    private readonly onEdit: (text: string) => void,
  ) {
    this.view = new editing.EditorView({ parent, state: this.stateOf('') });
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  /** Another text: the undo history belongs to the one before. */
  show(text: string): void {
    if (text === this.text) return;
    this.replacing = true;
    this.view.setState(this.stateOf(text));
    // What the scenario is about is in the page: the text begins with its first field. A click on the fold opens it.
    const to = openingComment(text);
    if (to > 0) this.view.dispatch({ effects: language.foldEffect.of({ from: 0, to }) });
    this.replacing = false;
  }

  showProblems(problems: readonly Problem[]): void {
    const { state } = this.view;
    const found = problems.flatMap((problem) => diagnosticOf(problem, state));
    this.view.dispatch(setDiagnostics(state, found));
  }

  goTo({ line, column }: Problem): void {
    const { doc } = this.view.state;
    const at = line < 1 || line > doc.lines ? 0 : Math.min(doc.line(line).from + column - 1, doc.line(line).to);
    this.view.dispatch({ selection: { anchor: at }, effects: editing.EditorView.scrollIntoView(at, { y: 'center' }) });
    this.view.focus();
  }

  focus(): void {
    this.view.focus();
  }

  destroy(): void {
    this.view.destroy();
  }

  private stateOf(text: string): EditorState {
    return EditorState.create({
      doc: text,
      extensions: [
        editing.lineNumbers(),
        // Marks that turn text around are seen, not obeyed.
        editing.highlightSpecialChars(),
        lintGutter(),
        history(),
        editing.drawSelection(),
        editing.highlightActiveLine(),
        language.bracketMatching(),
        language.codeFolding({ placeholderText: '# …' }),
        language.indentUnit.of('  '),
        ...(text.length > MAX_COLOURED || isCode(text) ? [] : [yaml(), language.syntaxHighlighting(classHighlighter)]),
        ...(isCode(text) ? [] : [autocompletion({ override: [schemaCompletion(lbsim_schema)] })]),
        // Tab leaves the editor, for users without a mouse.
        editing.keymap.of([defaultKeymap, historyKeymap, completionKeymap, language.foldKeymap, lintKeymap].flat()),
        editing.EditorView.contentAttributes.of({ 'aria-label': 'Scenario', tabindex: '0' }),
        editing.EditorView.updateListener.of((update) => {
          if (update.docChanged && !this.replacing) this.onEdit(this.text);
        }),
      ],
    });
  }
}

function diagnosticOf(problem: Problem, { doc }: EditorState): Diagnostic[] {
  const { line, column, length = 1 } = problem;
  if (line < 1 || line > doc.lines) return [];
  const { from, to } = doc.line(line);
  const start = Math.min(from + Math.max(column - 1, 0), to);
  return [
    {
      from: start,
      to: Math.min(start + Math.max(length, 1), to),
      severity: SEVERITIES[problem.severity],
      source: problem.rule,
      message: problem.message,
    },
  ];
}

const SEVERITIES = { error: 'error', warning: 'warning', deprecation: 'warning', note: 'info' } as const;
