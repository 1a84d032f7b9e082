import { Button } from '../../../../components/forms/button.tsx';
import { inputClass } from '../../../../components/forms/fields.tsx';
import { Section } from '../../../../components/page/section.tsx';
import { type EditorState, jsonOfDraft } from '../edit-draft.ts';

export function JsonView({ state, canEdit }: { state: EditorState; canEdit: boolean }) {
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
