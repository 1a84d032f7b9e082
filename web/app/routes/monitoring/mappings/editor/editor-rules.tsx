import { choicesOf } from '@tapeline/domain/documents/labels.ts';
import { headerKey } from '@tapeline/domain/tapes/headers.ts';
import { resolveTarget } from '@tapeline/domain/tapes/target-schema.ts';
import { formatCount } from '../../../../components/figures/format.ts';
import { Button } from '../../../../components/forms/button.tsx';
import { Select } from '../../../../components/forms/fields.tsx';
import { EmptyState } from '../../../../components/page/empty-state.tsx';
import { Panel } from '../../../../components/page/section.tsx';
import { type DraftProblem, type MappingDraft, problemsOfRule, textOf } from '../draft.ts';
import type { SheetColumn } from '../draft-preview.ts';
import { RuleForm } from './rule-form.tsx';
import { RuleRow } from './rule-list.tsx';
import type { useDraftEditor } from './use-draft-editor.ts';

/** Maps each field to the rule that already makes it. */
function takenBy(draft: MappingDraft): Map<string, number> {
  const taken = new Map<string, number>();
  for (const [index, { rule }] of draft.rules.entries()) {
    const target = resolveTarget(textOf(rule.targetCol));
    if (target.kind === 'field' && !taken.has(target.path)) taken.set(target.path, index);
  }
  return taken;
}

export function RuleList({
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
  const warned = new Map(editor.preview?.warnings.map(({ rule, count }) => [rule, count]) ?? []);
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
            warned={warned.get(index) ?? 0}
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

export function AddRule({ headers }: { headers: readonly string[] }) {
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
