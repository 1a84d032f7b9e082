import { headerKey } from '@tapeline/domain/tapes/headers.ts';
import { resolveTarget } from '@tapeline/domain/tapes/target-schema.ts';
import { useMemo } from 'react';
import { Button } from '../../components/forms/button.tsx';
import { CsrfField } from '../../components/forms/csrf-field.tsx';
import { inputClass } from '../../components/forms/fields.tsx';
import { PostForm } from '../../components/forms/post-form.tsx';
import { EmptyState } from '../../components/page/empty-state.tsx';
import { Notice } from '../../components/page/notice.tsx';
import { Columns, Panel, Section } from '../../components/page/section.tsx';
import { formatCount } from '../../figures/format.ts';
import {
  type DraftFault,
  faultsOfDraft,
  faultsOfRule,
  faultsOfWhole,
  type MappingDraft,
  suggestionsLeft,
  textOf,
  unmappedHeaders,
} from '../draft.ts';
import { type DraftPreview, type SheetColumn, tryValue } from '../draft-preview.ts';
import { type EditorState, jsonOfDraft } from '../edit-draft.ts';
import { COLUMNS_LIST } from './lines.tsx';
import { PreviewPanel, SideBySide } from './preview-panel.tsx';
import { RuleForm } from './rule-form.tsx';
import { RuleRow } from './rule-list.tsx';
import { Labelled } from './step-fields-form.tsx';
import { useDraftEditor } from './use-draft-editor.ts';

/** The form's id: the page's head has the button that saves. */
export const MAPPING_FORM = 'mapping';

export interface EditorProps {
  readonly initial: EditorState;
  /** The version that is changed; 0 for a new mapping. */
  readonly version: number;
  readonly canEdit: boolean;
  readonly preview: DraftPreview | null;
  /** Files the draft can be tried on, as the form names them. */
  readonly files: readonly { value: string; label: string }[];
  readonly currencies: readonly { value: string; label: string }[];
  readonly answer:
    | { state: EditorState; preview: DraftPreview | null; refusal: string | null; isFaulty: boolean }
    | undefined;
}

/** Which rule already makes a field. */
function takenBy(draft: MappingDraft): Map<string, number> {
  const taken = new Map<string, number>();
  for (const [index, { rule }] of draft.rules.entries()) {
    const target = resolveTarget(textOf(rule.targetCol));
    if (target.kind === 'field' && !taken.has(target.path)) taken.set(target.path, index);
  }
  return taken;
}

export function MappingEditor({ initial, version, canEdit, preview: loaded, files, currencies, answer }: EditorProps) {
  const editor = useDraftEditor(initial, answer, loaded);
  const { state, revision, preview } = editor;
  const { draft, open } = state;
  const faults = useMemo(() => faultsOfDraft(draft), [draft]);
  const columns: readonly SheetColumn[] =
    preview && preview.columns.length > 0 ? preview.columns : draft.headers.map((header) => ({ header, examples: [] }));
  const left = suggestionsLeft(draft);
  const carried = useMemo(() => JSON.stringify(draft), [draft]);
  return (
    <PostForm
      id={MAPPING_FORM}
      ref={editor.form}
      noValidate
      onSubmit={editor.onSubmit}
      onInput={editor.onInput}
      preventScrollReset
      {...(editor.isSent ? { inert: '' } : {})}
    >
      <CsrfField />
      <input type="hidden" name="draft" value={carried} />
      <input type="hidden" name="open" value={open ?? ''} />
      <input type="hidden" name="view" value={state.view} />
      <input type="hidden" name="version" value={version} />
      {/* What Enter presses: the first button of a form. */}
      <button type="submit" name="edit" value="keep" tabIndex={-1} aria-hidden="true" className="sr-only">
        Show it
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
      {answer?.isFaulty && faults.length > 0 ? <FaultList faults={faults} openAt={editor.openAt} /> : null}
      <Settings
        key={`settings-${revision}`}
        draft={draft}
        files={files}
        preview={preview}
        currencies={currencies}
        faults={faultsOfWhole(faults)}
        canEdit={canEdit}
      />
      <Columns split={state.view === 'json' ? 'even' : 'wide'}>
        <div className="min-w-0">
          {state.view === 'json' ? (
            <JsonView key={revision} state={state} canEdit={canEdit} />
          ) : (
            <Section
              title="Rules"
              note={`${formatCount(draft.rules.length, 'rule')}, run in this order`}
              more={
                canEdit ? (
                  <button type="submit" name="edit" value="view-json" className="text-accent hover:underline">
                    As JSON
                  </button>
                ) : null
              }
            >
              {canEdit && left > 0 ? (
                <div className="mb-2.5 flex flex-wrap items-center gap-2 rounded-lg bg-accent-soft px-3.5 py-2.5 text-sm">
                  <p className="min-w-48 flex-1">
                    <b className="font-medium">{left} suggested</b> and not yet accepted. Look at each: open it to see
                    its cells, then accept, change or drop it.
                  </p>
                  <Button type="submit" name="edit" value="accept-sure" className="h-7">
                    Accept those from 90 %
                  </Button>
                  <Button type="submit" name="edit" value="accept-all" className="h-7">
                    Accept all
                  </Button>
                </div>
              ) : null}
              <RuleList
                key={revision}
                editor={editor}
                columns={columns}
                faults={faults}
                currencies={currencies}
                canEdit={canEdit}
              />
              {canEdit ? (
                <AddRule
                  key={`add-${revision}`}
                  headers={unmappedHeaders(
                    draft,
                    columns.map(({ header }) => header),
                  )}
                />
              ) : null}
            </Section>
          )}
        </div>
        <div className="min-w-0 lg:sticky lg:top-16 lg:self-start">
          {preview ? (
            <PreviewPanel preview={preview} open={open} isStale={editor.isStale} />
          ) : (
            <Section title="On the first rows">
              <Panel>
                <EmptyState title="No tape to try it on">
                  Upload a tape of this company, and its first rows are shown here as read and as mapped.
                </EmptyState>
              </Panel>
            </Section>
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
  faults,
  currencies,
  canEdit,
}: {
  editor: ReturnType<typeof useDraftEditor>;
  columns: readonly SheetColumn[];
  faults: readonly DraftFault[];
  currencies: EditorProps['currencies'];
  canEdit: boolean;
}) {
  const { draft, open } = editor.state;
  const failing = new Map(editor.preview?.failures.map(({ rule, count }) => [rule, count]) ?? []);
  const faulty = new Map<number, DraftFault[]>();
  for (const fault of faults) {
    const [at, rule] = fault.path;
    if (at === 'rules' && typeof rule === 'number') faulty.set(rule, [...(faulty.get(rule) ?? []), fault]);
  }
  if (draft.rules.length === 0) {
    return (
      <Panel>
        <EmptyState title="No rules yet">
          Begin with the column that tells assets apart, and map it to the asset id.
        </EmptyState>
      </Panel>
    );
  }
  return (
    <Panel>
      <ol>
        {draft.rules.map((entry, index) => (
          <RuleRow
            // biome-ignore lint/suspicious/noArrayIndexKey: rules are told apart by their place
            key={index}
            entry={entry}
            index={index}
            count={draft.rules.length}
            isOpen={index === open}
            canEdit={canEdit}
            faults={faulty.get(index) ?? []}
            failing={failing.get(index) ?? 0}
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
                  faults={faultsOfRule(faults, index)}
                  currencies={currencies}
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
            <select name="unmapped" aria-label="Column without a rule" className={inputClass()}>
              {seen.map((header) => (
                <option key={header} value={header}>
                  {header}
                </option>
              ))}
            </select>
          </div>
          <Button type="submit" name="edit" value="add-of">
            Add a rule for it
          </Button>
        </>
      ) : null}
      <Button type="submit" name="edit" value="add" tone="quiet">
        Add a computed rule
      </Button>
      {seen.length > 0 ? (
        <span className="text-xs text-ink-3">{formatCount(seen.length, 'column')} of the tape without a rule</span>
      ) : null}
    </div>
  );
}

function FaultList({ faults, openAt }: { faults: readonly DraftFault[]; openAt: (rule: number | null) => string }) {
  return (
    <div role="alert" className="mb-[18px] rounded-lg bg-danger-soft px-3.5 py-2.5 text-sm text-danger">
      <p className="font-medium">Nothing was saved: {formatCount(faults.length, 'fault')} to mend first</p>
      <ul className="mt-1 list-disc pl-4">
        {faults.slice(0, 12).map(({ path, message }) => {
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
                  {message.startsWith('Rule') ? message : `Rule ${rule + 1}: ${message}`}
                </button>
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function Settings({
  draft,
  files,
  preview,
  currencies,
  faults,
  canEdit,
}: Pick<EditorProps, 'files' | 'preview' | 'currencies' | 'canEdit'> & {
  draft: MappingDraft;
  faults: readonly DraftFault[];
}) {
  const sheets = [...new Set([...(preview?.sheets ?? []), draft.loanTapeSheetName])].filter(Boolean);
  const current = preview ? tryValue(preview.file) : '';
  const choices =
    preview && !files.some(({ value }) => value === current)
      ? [{ value: current, label: preview.file.name }, ...files]
      : files;
  const faultOf = (field: string) => faults.find(({ path }) => path[0] === field)?.message;
  const whole = faults.filter(({ path }) => path[0] === 'rules');
  return (
    <div className="mb-6">
      <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        <Labelled id="loanTapeSheetName" label="Sheet" hint={<Wrong text={faultOf('loanTapeSheetName')} />}>
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
        <Labelled id="primaryCurrency" label="Currency of amounts that name none">
          <select
            id="primaryCurrency"
            name="primaryCurrency"
            defaultValue={draft.primaryCurrency}
            disabled={!canEdit}
            className={inputClass()}
          >
            {currencies.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </Labelled>
        <Labelled id="cutOffDate" label="Cut-off date" optional hint={<Wrong text={faultOf('cutOffDate')} />}>
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
            Try it on
          </label>
          <div className="flex gap-2">
            <select id="try" name="try" defaultValue={current} className={inputClass('min-w-0 flex-1')}>
              {choices.length === 0 ? <option value="">No tape yet</option> : null}
              {choices.map(({ value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
            <noscript>
              <Button type="submit" name="edit" value="keep">
                Show
              </Button>
            </noscript>
          </div>
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
      note="the list of rules as the API takes it"
      more={
        <button type="submit" name="edit" value="view-rules" className="text-accent hover:underline">
          As a list
        </button>
      }
    >
      <textarea
        name="json"
        aria-label="Rules as JSON"
        aria-invalid={state.json ? true : undefined}
        aria-describedby={state.json ? 'json-fault' : undefined}
        spellCheck={false}
        readOnly={!canEdit}
        rows={30}
        defaultValue={state.json?.text ?? jsonOfDraft(state.draft)}
        className={inputClass('h-auto py-2 font-mono text-xs')}
      />
      {state.json ? (
        <p id="json-fault" className="mt-1 text-sm text-danger">
          {state.json.fault}
        </p>
      ) : null}
      {canEdit ? (
        <div className="mt-2.5 flex gap-2">
          <Button type="submit" name="edit" value="json" tone="primary">
            Take these rules
          </Button>
          <Button type="submit" name="edit" value="view-rules">
            Leave them as they were
          </Button>
        </div>
      ) : null}
    </Section>
  );
}
