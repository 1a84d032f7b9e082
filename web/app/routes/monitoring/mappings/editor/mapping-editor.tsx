import { choicesOf } from '@tapeline/domain/documents/labels.ts';
import { headerKey } from '@tapeline/domain/tapes/headers.ts';
import { resolveTarget } from '@tapeline/domain/tapes/target-schema.ts';
import { useMemo } from 'react';
import { formatCount } from '../../../../components/figures/format.ts';
import { Button } from '../../../../components/forms/button.tsx';
import { FoundCounts, isSearched, SearchBox } from '../../../../components/forms/choice-search.tsx';
import { CsrfField } from '../../../../components/forms/csrf-field.tsx';
import { CURRENCY_CHOICES } from '../../../../components/forms/currency-choices.ts';
import { inputClass, Select } from '../../../../components/forms/fields.tsx';
import { PostForm } from '../../../../components/forms/post-form.tsx';
import { useUnsavedForm } from '../../../../components/forms/unsaved-work.tsx';
import { EmptyState } from '../../../../components/page/empty-state.tsx';
import { Notice } from '../../../../components/page/notice.tsx';
import { Columns, Panel, PanelSection, Section } from '../../../../components/page/section.tsx';
import {
  type DraftProblem,
  type MappingDraft,
  problemsOfDraft,
  problemsOfRule,
  problemsOfWhole,
  suggestionsLeft,
  textOf,
  unmappedHeaders,
} from '../draft.ts';
import { type DraftPreview, type SheetColumn, type TapesToTry, tryValue } from '../draft-preview.ts';
import { type EditorState, jsonOfDraft } from '../edit-draft.ts';
import type { EditorAnswer } from '../mapping-editor.server.ts';
import { COLUMNS_LIST } from './lines.tsx';
import { PreviewPanel, SideBySide } from './preview-panel.tsx';
import { RuleForm } from './rule-form.tsx';
import { DoubtfulRules, RuleRow } from './rule-list.tsx';
import { Labelled } from './step-fields-form.tsx';
import { useDraftEditor } from './use-draft-editor.ts';

/** The form's id. The save button is in the page header, outside the form. */
export const MAPPING_FORM = 'mapping';

export interface EditorProps {
  readonly initial: EditorState;
  /** The version that is being changed. 0 for a new mapping. */
  readonly version: number;
  readonly canEdit: boolean;
  readonly preview: DraftPreview | null;
  /** Tapes that the draft can be tried on; null if there is only the file it was made from. */
  readonly tapes: TapesToTry | null;
  readonly answer: EditorAnswer | undefined;
}

/** Maps each field to the rule that already makes it. */
function takenBy(draft: MappingDraft): Map<string, number> {
  const taken = new Map<string, number>();
  for (const [index, { rule }] of draft.rules.entries()) {
    const target = resolveTarget(textOf(rule.targetCol));
    if (target.kind === 'field' && !taken.has(target.path)) taken.set(target.path, index);
  }
  return taken;
}

export function MappingEditor({ initial, version, canEdit, preview: loaded, tapes, answer }: EditorProps) {
  const editor = useDraftEditor(initial, answer, loaded);
  const { state, revision, preview } = editor;
  const { draft, open } = state;
  const problems = useMemo(() => problemsOfDraft(draft), [draft]);
  const columns: readonly SheetColumn[] =
    preview && preview.columns.length > 0 ? preview.columns : draft.headers.map((header) => ({ header, examples: [] }));
  const left = suggestionsLeft(draft);
  const carried = useMemo(() => JSON.stringify(draft), [draft]);
  // The initial draft, so that edits can be compared with it. Accepting a suggestion is also an edit.
  const opened = useMemo(() => JSON.stringify(initial.draft), [initial]);
  // The open rule and the view are in the address, so only navigating to another page loses the draft.
  useUnsavedForm(editor.form, canEdit && carried !== opened, 'page');
  return (
    <PostForm
      id={MAPPING_FORM}
      ref={editor.form}
      noValidate
      onSubmit={editor.onSubmit}
      onInput={editor.onInput}
      tracksInput={false}
      preventScrollReset
      {...(editor.isSent ? { inert: '' } : {})}
    >
      <CsrfField />
      <input type="hidden" name="draft" value={carried} />
      <input type="hidden" name="open" value={open ?? ''} />
      <input type="hidden" name="view" value={state.view} />
      <input type="hidden" name="version" value={version} />
      {/* Enter triggers the first button of a form, which is this one. */}
      <button type="submit" name="edit" value="keep" tabIndex={-1} aria-hidden="true" className="sr-only">
        Update
      </button>
      <datalist id={COLUMNS_LIST}>
        {[
          ...new Set([
            ...columns.map(({ header }) => header),
            ...draft.rules.slice(0, open ?? draft.rules.length).map(({ rule }) => textOf(rule.targetCol)),
          ]),
        ]
          .filter(Boolean)
          .map((name) => (
            <option key={name} value={name} />
          ))}
      </datalist>

      {answer?.refusal ? <Notice tone="danger">{answer.refusal}</Notice> : null}
      {answer?.isInvalid && problems.length > 0 ? <ProblemList problems={problems} openAt={editor.openAt} /> : null}
      <Settings
        key={`settings-${revision}`}
        draft={draft}
        tapes={editor.tapes ?? tapes}
        preview={preview}
        problems={problemsOfWhole(problems)}
        canEdit={canEdit}
      />
      <Columns split={state.view === 'json' ? 'even' : 'wide'}>
        <div className="min-w-0">
          {state.view === 'json' ? (
            <JsonView key={revision} state={state} canEdit={canEdit} />
          ) : (
            <Section
              title="Rules"
              note={`${formatCount(draft.rules.length, 'rule')}, applied in this order`}
              more={
                canEdit ? (
                  <button type="submit" name="edit" value="view-json" className="text-accent hover:underline">
                    View as JSON
                  </button>
                ) : null
              }
            >
              {canEdit && left > 0 ? (
                <div className="mb-2.5 flex flex-wrap items-center gap-2 rounded-lg bg-accent-soft px-3.5 py-2.5 text-sm">
                  <p className="min-w-48 flex-1">
                    <b className="font-medium">{left} suggested</b> not yet accepted. Open each rule to see its cells,
                    then accept, change or remove it.
                  </p>
                  <Button type="submit" name="edit" value="accept-sure" className="h-7">
                    Accept ≥ 90% confidence
                  </Button>
                  <Button type="submit" name="edit" value="accept-all" className="h-7">
                    Accept all
                  </Button>
                </div>
              ) : null}
              <RuleList key={revision} editor={editor} columns={columns} problems={problems} canEdit={canEdit} />
              {canEdit ? (
                <AddRule
                  key={`add-${revision}`}
                  headers={unmappedHeaders(
                    draft,
                    columns.map(({ header }) => header),
                  )}
                />
              ) : null}
              {canEdit && draft.doubtful && draft.doubtful.length > 0 ? (
                <DoubtfulRules doubtful={draft.doubtful} />
              ) : null}
            </Section>
          )}
        </div>
        <div className="min-w-0 lg:sticky lg:top-16 lg:self-start">
          {preview ? (
            <PreviewPanel preview={preview} open={open} isStale={editor.isStale} />
          ) : (
            <PanelSection title="Preview of first rows">
              <EmptyState title="No tape to preview">
                Upload a tape of this company to preview its first rows here, as read and as mapped.
              </EmptyState>
            </PanelSection>
          )}
        </div>
      </Columns>
      {preview ? <SideBySide preview={preview} isStale={editor.isStale} rules={draft.rules.length} /> : null}
    </PostForm>
  );
}

function RuleList({
  editor,
  columns,
  problems,
  canEdit,
}: {
  editor: ReturnType<typeof useDraftEditor>;
  columns: readonly SheetColumn[];
  problems: readonly DraftProblem[];
  canEdit: boolean;
}) {
  const { draft, open } = editor.state;
  const failing = new Map(editor.preview?.failures.map(({ rule, count }) => [rule, count]) ?? []);
  const implausible = new Map(editor.preview?.warnings.map(({ rule, count }) => [rule, count]) ?? []);
  const invalid = new Map<number, DraftProblem[]>();
  for (const problem of problems) {
    const [at, rule] = problem.path;
    if (at === 'rules' && typeof rule === 'number') invalid.set(rule, [...(invalid.get(rule) ?? []), problem]);
  }
  if (draft.rules.length === 0) {
    return (
      <Panel>
        <EmptyState title="No rules yet">
          Start with the column that identifies assets and map it to the asset id.
        </EmptyState>
      </Panel>
    );
  }
  return (
    <Panel>
      <ol>
        {draft.rules.map((entry, index) => (
          <RuleRow
            // biome-ignore lint/suspicious/noArrayIndexKey: rules are identified by their place
            key={index}
            entry={entry}
            index={index}
            count={draft.rules.length}
            isOpen={index === open}
            canEdit={canEdit}
            problems={invalid.get(index) ?? []}
            failing={failing.get(index) ?? 0}
            implausible={implausible.get(index) ?? 0}
            openAt={editor.openAt(index === open ? null : index)}
          >
            {index === open ? (
              <fieldset disabled={!canEdit} className="min-w-0">
                <legend className="sr-only">Rule {index + 1}</legend>
                <RuleForm
                  rule={entry.rule}
                  index={index}
                  before={draft.rules.slice(0, index).map(({ rule }) => rule)}
                  columns={columns}
                  taken={takenBy(draft)}
                  problems={problemsOfRule(problems, index)}
                />
              </fieldset>
            ) : null}
          </RuleRow>
        ))}
      </ol>
    </Panel>
  );
}

function AddRule({ headers }: { headers: readonly string[] }) {
  const seen = [...new Map(headers.map((header) => [headerKey(header), header])).values()];
  return (
    <div className="mt-2.5 flex flex-wrap items-center gap-2">
      {seen.length > 0 ? (
        <>
          <div className="w-60">
            <Select name="unmapped" aria-label="Unmapped column" choices={choicesOf(seen)} />
          </div>
          <Button type="submit" name="edit" value="add-of">
            Add rule
          </Button>
        </>
      ) : null}
      <Button type="submit" name="edit" value="add" tone="quiet">
        Add computed rule
      </Button>
      {seen.length > 0 ? (
        <span className="text-xs text-ink-3">{formatCount(seen.length, 'column')} of the tape without a rule</span>
      ) : null}
    </div>
  );
}

function ProblemList({
  problems,
  openAt,
}: {
  problems: readonly DraftProblem[];
  openAt: (rule: number | null) => string;
}) {
  return (
    <div role="alert" className="mb-[18px] rounded-lg bg-danger-soft px-3.5 py-2.5 text-sm text-danger">
      <p className="font-medium">Nothing was saved: correct {formatCount(problems.length, 'problem')} first</p>
      <ul className="mt-1 list-disc pl-4">
        {problems.slice(0, 12).map(({ path, message }) => {
          const rule = path[0] === 'rules' && typeof path[1] === 'number' ? path[1] : null;
          return (
            <li key={`${path.join('.')} ${message}`}>
              {rule === null ? (
                message
              ) : (
                <button
                  type="submit"
                  name="edit"
                  value={`open:${rule}`}
                  formAction={openAt(rule)}
                  className="text-left underline"
                >
                  {message}
                </button>
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

const TAPES = ['tape', 'tapes'] as const;

function Settings({
  draft,
  tapes,
  preview,
  problems,
  canEdit,
}: Pick<EditorProps, 'tapes' | 'preview' | 'canEdit'> & {
  draft: MappingDraft;
  problems: readonly DraftProblem[];
}) {
  const sheets = [...new Set([...(preview?.sheets ?? []), draft.loanTapeSheetName])].filter(Boolean);
  const files = tapes?.files ?? [];
  const current = preview ? tryValue(preview.file) : '';
  const choices =
    preview && !files.some(({ value }) => value === current)
      ? [{ value: current, label: preview.file.name }, ...files]
      : files;
  const problemOf = (field: string) => problems.find(({ path }) => path[0] === field)?.message;
  const whole = problems.filter(({ path }) => path[0] === 'rules');
  return (
    <div className="mb-6">
      <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        <Labelled id="loanTapeSheetName" label="Sheet" hint={<Wrong text={problemOf('loanTapeSheetName')} />}>
          <input
            id="loanTapeSheetName"
            name="loanTapeSheetName"
            defaultValue={draft.loanTapeSheetName}
            list="mapping-sheets"
            readOnly={!canEdit}
            className={inputClass()}
          />
          <datalist id="mapping-sheets">
            {sheets.map((sheet) => (
              <option key={sheet} value={sheet} />
            ))}
          </datalist>
        </Labelled>
        <Labelled id="primaryCurrency" label="Default currency">
          <Select
            id="primaryCurrency"
            name="primaryCurrency"
            defaultValue={draft.primaryCurrency}
            disabled={!canEdit}
            choices={CURRENCY_CHOICES}
            empty={draft.primaryCurrency === '' ? 'Choose a currency' : undefined}
          />
        </Labelled>
        <Labelled id="cutOffDate" label="Cut-off date" optional hint={<Wrong text={problemOf('cutOffDate')} />}>
          <input
            id="cutOffDate"
            name="cutOffDate"
            type="date"
            defaultValue={draft.cutOffDate}
            readOnly={!canEdit}
            className={inputClass()}
          />
        </Labelled>
        <div className={canEdit ? 'min-w-0' : 'hidden'}>
          <label htmlFor="try" className="mb-1 block text-xs font-medium text-ink-2">
            Preview with
          </label>
          <div className="flex gap-2">
            <Select
              id="try"
              name="try"
              defaultValue={current}
              className="min-w-0 flex-1"
              choices={choices}
              empty={choices.length === 0 ? 'No tapes yet' : undefined}
            />
            <noscript>
              <Button type="submit" name="edit" value="keep">
                Show
              </Button>
            </noscript>
          </div>
          {tapes && isSearched(tapes.counts) ? (
            <div className="mt-2 flex flex-wrap items-center gap-2">
              <SearchBox id="find-tape" name="findTape" noun={TAPES} search={tapes.counts.search} />
              <noscript>
                <Button type="submit" name="edit" value="keep">
                  Find
                </Button>
              </noscript>
              <FoundCounts counts={tapes.counts} noun={TAPES} />
            </div>
          ) : null}
        </div>
      </div>
      {whole.length > 0 ? (
        <ul className="mt-2 text-sm text-danger">
          {whole.map(({ message }) => (
            <li key={message}>{message}</li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}

const Wrong = ({ text }: { text: string | undefined }) => (text ? <span className="text-danger">{text}</span> : null);

function JsonView({ state, canEdit }: { state: EditorState; canEdit: boolean }) {
  return (
    <Section
      title="Rules as JSON"
      note="the list of rules as used by the API"
      more={
        <button type="submit" name="edit" value="view-rules" className="text-accent hover:underline">
          View as list
        </button>
      }
    >
      <textarea
        name="json"
        aria-label="Rules as JSON"
        aria-invalid={state.json ? true : undefined}
        aria-describedby={state.json ? 'json-problem' : undefined}
        spellCheck={false}
        readOnly={!canEdit}
        rows={30}
        defaultValue={state.json?.text ?? jsonOfDraft(state.draft)}
        className={inputClass('h-auto py-2 font-mono text-xs')}
      />
      {state.json ? (
        <p id="json-problem" className="mt-1 text-sm text-danger">
          {state.json.problem}
        </p>
      ) : null}
      {canEdit ? (
        <div className="mt-2.5 flex gap-2">
          <Button type="submit" name="edit" value="json" tone="primary">
            Apply rules
          </Button>
          <Button type="submit" name="edit" value="view-rules">
            Discard changes
          </Button>
        </div>
      ) : null}
    </Section>
  );
}
