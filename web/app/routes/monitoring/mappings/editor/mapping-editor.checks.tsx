import { useMemo } from 'react';
import { formatCount } from '../../../../components/figures/format.ts';
import { Button } from '../../../../components/forms/button.tsx';
import { CsrfField } from '../../../../components/forms/csrf-field.tsx';
import { PostForm } from '../../../../components/forms/post-form.tsx';
import { useUnsavedForm } from '../../../../components/forms/unsaved-work.tsx';
import { EmptyState } from '../../../../components/page/empty-state.tsx';
import { Notice } from '../../../../components/page/notice.tsx';
import { Columns, PanelSection, Section } from '../../../../components/page/section.tsx';
import { problemsOfDraft, problemsOfWhole, suggestionsLeft, textOf, unmappedHeaders } from '../draft.ts';
import type { SheetColumn } from '../draft-preview.ts';
import { CheckPanel } from './check-panel.tsx';
import { AddRule, RuleList } from './editor-rules.tsx';
import { JsonView } from './json-view.tsx';
import { COLUMNS_LIST } from './lines.tsx';
import { type EditorProps, MAPPING_FORM } from './mapping-form.ts';
import { Settings } from './mapping-settings.tsx';
import { PreviewPanel, SideBySide } from './preview-panel.tsx';
import { ProblemList } from './problem-list.tsx';
import { DoubtfulRules } from './rule-list.tsx';
import { useDraftEditor } from './use-draft-editor.ts';

export function MappingEditor({ initial, version, canEdit, preview: loaded, tapes, answer }: EditorProps) {
  const editor = useDraftEditor({ initial, answer, preview: loaded, canEdit });
  const { state, revision, preview } = editor;
  const { draft, open } = state;
  const problems = useMemo(() => problemsOfDraft(draft), [draft]);
  const columns: readonly SheetColumn[] =
    preview && preview.columns.length > 0 ? preview.columns : draft.headers.map((header) => ({ header, examples: [] }));
  const left = suggestionsLeft(draft);
  // The initial draft, so that edits can be compared with it. Accepting a suggestion is also an edit.
  const opened = useMemo(() => JSON.stringify(initial.draft), [initial]);
  // The open rule and the view are in the address, so only navigating to another page loses the draft.
  useUnsavedForm(editor.form, canEdit && editor.draft !== opened, 'page');
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
      <input type="hidden" name="draft" value={editor.draft} />
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
            <>
              {canEdit ? <CheckPanel state={editor.check} /> : null}
              <PreviewPanel preview={preview} open={open} isStale={editor.isStale} />
            </>
          ) : (
            <PanelSection title="Preview of first rows">
              <EmptyState title="No tape to preview">
                Upload a tape of this borrower to preview its first rows here, as read and as mapped.
              </EmptyState>
            </PanelSection>
          )}
        </div>
      </Columns>
      {preview ? <SideBySide preview={preview} isStale={editor.isStale} rules={draft.rules.length} /> : null}
    </PostForm>
  );
}
