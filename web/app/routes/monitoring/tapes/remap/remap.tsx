import { redirect } from '@remix-run/node';
import { Form, useActionData, useLoaderData, useNavigation } from '@remix-run/react';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { z } from 'zod';
import { startRemap } from '../../../../commands/remap.server.ts';
import { ActionProblems } from '../../../../components/forms/action-problems.tsx';
import { Button, LinkButton } from '../../../../components/forms/button.tsx';
import { Select } from '../../../../components/forms/fields.tsx';
import { EmptyState } from '../../../../components/page/empty-state.tsx';
import { Notice } from '../../../../components/page/notice.tsx';
import { PageHeader } from '../../../../components/page/page-header.tsx';
import { named } from '../../../../components/page/page-name.ts';
import { PanelSection } from '../../../../components/page/section.tsx';
import { type ActionAnswer, act, intent, readScreen } from '../../../../http/screen.server.ts';
import { originOf } from '../../../../http/session.server.ts';
import { paths } from '../../../../paths.ts';
import { progressOf } from '../../mappings/editor/check-panel.tsx';
import { useShare } from '../../mappings/editor/use-check.ts';
import { readRemapPage } from '../remap-page.server.ts';
import { tapeFacts } from '../tape-facts.tsx';
import { Effect } from './effect.tsx';

export const handle = named<typeof loader>(
  ({ tape }) => [[tape.title, paths.tape(tape.id)], 'Another mapping version'],
  ({ tape }) => `Another mapping version · ${tape.title}`,
);

export const loader = readScreen('assets/write', readRemapPage);

const remapSchema = z.object({ mapping: idSchema, on: idSchema });

export const action = act({
  remap: intent({
    permission: 'assets/write',
    schema: remapSchema,
    async run({ mapping, on }, { context, actor, request, params: { id: tapeId = '' } }) {
      await startRemap(context, actor, { tapeId, mappingId: mapping, on }, originOf(request, context));
      return redirect(paths.tape(tapeId));
    },
  }),
});

export default function Remap() {
  const { tape, versions, chosen, review, problem, openProposals } = useLoaderData<typeof loader>();
  const answer = useActionData<ActionAnswer>();
  const { state, location } = useNavigation();
  const isReviewing = state === 'loading' && location?.pathname === paths.remapTape(tape.id);
  const share = useShare(isReviewing ? tape.id : null);
  return (
    <>
      <PageHeader
        title="Use another mapping version"
        facts={[
          ...tapeFacts(tape),
          <>
            mapping <b>v{tape.mappingVersion}</b>
          </>,
        ]}
        actions={<LinkButton to={paths.tape(tape.id)}>Tape</LinkButton>}
      />
      <ActionProblems answer={answer} />
      {tape.isInProgress ? (
        <Notice>
          {tape.isRerun ? 'Rows of this tape are being reprocessed' : 'The tape is being processed'}. You can use
          another version when this is complete.
        </Notice>
      ) : null}
      {problem ? <Notice tone="danger">{problem}</Notice> : null}
      {versions.length === 0 ? (
        <EmptyState title="No other version">
          The borrower has no other mapping version. Change the mapping of the tape and save it to make one.
        </EmptyState>
      ) : (
        <PanelSection title="Version" padded>
          <Form method="get" preventScrollReset className="flex flex-wrap items-end gap-2">
            <label htmlFor="mapping" className="grid w-full max-w-[28rem] gap-1 text-xs font-medium text-ink-2">
              Mapping version
              <Select
                id="mapping"
                name="mapping"
                key={chosen?.id}
                defaultValue={chosen?.id ?? versions[0]?.id ?? ''}
                choices={versions.map(({ id, label }) => ({ value: id, label }))}
              />
            </label>
            <Button type="submit" tone={review ? 'plain' : 'primary'} disabled={isReviewing}>
              Show effect
            </Button>
            <span className="pb-1.5 text-xs text-ink-3" aria-live="polite">
              {isReviewing ? progressOf(share) : ''}
            </span>
          </Form>
          <p className="mt-3 max-w-[46rem] text-sm text-ink-2">
            The stored file is processed again. Corrected cells stay corrected, and discarded rows that are errored
            again stay discarded. The published tape does not change until you confirm.
          </p>
        </PanelSection>
      )}
      {review && chosen ? <Effect review={review} chosen={chosen} openProposals={openProposals} /> : null}
    </>
  );
}
