import { type ActionFunctionArgs, redirect } from '@remix-run/node';
import { Link, useActionData, useLoaderData } from '@remix-run/react';
import { declineProposal, getProposal, withdrawProposal } from '@tapeline/db/operations/tapes/proposals.ts';
import { declineSchema } from '@tapeline/domain/tapes/proposal.schema.ts';
import { z } from 'zod';
import { accept } from '../../../../commands/proposals.server.ts';
import { DateText } from '../../../../components/figures/figures.tsx';
import { formatFigure } from '../../../../components/figures/format.ts';
import { ActionForm } from '../../../../components/forms/action-form.tsx';
import { ActionProblems } from '../../../../components/forms/action-problems.tsx';
import { LinkButton } from '../../../../components/forms/button.tsx';
import { StatusChip } from '../../../../components/page/chip.tsx';
import { PageHeader } from '../../../../components/page/page-header.tsx';
import { named } from '../../../../components/page/page-name.ts';
import { Section } from '../../../../components/page/section.tsx';
import { type ActionAnswer, act, confirmedIntent, intent, readScreen } from '../../../../http/screen.server.ts';
import { originOf } from '../../../../http/session.server.ts';
import { paths } from '../../../../paths.ts';
import { deliveryIntents } from '../../../capital/delivery-intents.server.ts';
import { Deliveries } from '../../../capital/who-is-told.tsx';
import { NetChange } from '../net-change.tsx';
import { readProposalPage } from '../proposal-page.server.ts';
import { tapeFacts } from '../tape-facts.tsx';
import { Decision } from './decision.tsx';
import { ProposalNextSteps } from './next-steps.tsx';
import { ProposalNotice } from './proposal-notice.tsx';
import { ProposedRow } from './proposed-row.tsx';

export const handle = named<typeof loader>(
  ({ tape, proposal }) => [[tape.title, paths.tape(tape.id)], `Proposal ${proposal.code}`],
  ({ tape, proposal }) => `Proposal ${proposal.code} for ${tape.title}`,
);

export const loader = readScreen('assets/read', readProposalPage);

export function action(args: ActionFunctionArgs) {
  const [tapeId, id] = [args.params.id ?? '', args.params.proposal ?? ''];
  const origin = originOf(args.request, args.context);
  return act({
    accept: confirmedIntent({
      permission: 'assets/write',
      schema: z.object({}),
      asks: 'accept',
      async run(_, { context, actor }) {
        await accept(context, actor, id, origin);
        return redirect(paths.tape(tapeId, { view: 'errored' }));
      },
    }),
    decline: intent({
      permission: 'assets/write',
      schema: declineSchema,
      async run({ reason }, { db }) {
        await db((session) => declineProposal(session, { id, reason }));
        return redirect(paths.proposal(tapeId, id));
      },
    }),
    ...deliveryIntents({
      permission: 'assets/write',
      documents: async (session) => ({ resource: 'correctionProposals', ids: [(await getProposal(session, id)).id] }),
      pathOf: () => paths.proposal(tapeId, id),
    }),
    withdraw: intent({
      permission: 'assets/write',
      schema: z.object({}),
      async run(_, { db }) {
        await db((session) => withdrawProposal(session, { id }));
        return redirect(paths.proposal(tapeId, id));
      },
    }),
  })(args);
}

export default function ProposalScreen() {
  const page = useLoaderData<typeof loader>();
  const answer = useActionData<ActionAnswer>();
  const { tape, proposal, rows, notes, may } = page;
  return (
    <>
      <PageHeader
        title={`Proposed correction ${proposal.code}`}
        chip={<StatusChip dot status={proposal.beingAccepted ? 'Processing' : proposal.status} />}
        facts={[
          ...tapeFacts(tape),
          <>
            {proposal.proposedBy ? `${proposal.proposedBy}, ` : ''}
            <DateText time value={proposal.proposedAt} />
          </>,
        ]}
        actions={
          <>
            <LinkButton to={paths.tape(tape.id, { view: 'errored' })}>Errored rows</LinkButton>
            {may.withdraw ? <ActionForm intent="withdraw">Withdraw</ActionForm> : null}
          </>
        }
      />
      <ActionProblems answer={answer} ofForms={['decline']} />
      <ProposalNotice page={page} />
      {page.next ? <ProposalNextSteps next={page.next} /> : null}
      {proposal.comment ? (
        <blockquote className="mb-[26px] max-w-[46rem] border-l-2 border-line-strong pl-3.5 text-sm break-words whitespace-pre-line text-ink-2">
          {proposal.comment}
        </blockquote>
      ) : null}
      {notes ? (
        <NetChange
          notes={notes}
          calculates={page.calculates}
          change="the correction"
          decision={['accepting', 'accept']}
        />
      ) : null}
      <Section
        title="Rows"
        note={
          proposal.rowNumbers.length > rows.length
            ? `first ${rows.length} of ${formatFigure(proposal.rowNumbers.length)}`
            : undefined
        }
      >
        <div className="space-y-[18px]">
          {rows.map((row) => (
            <ProposedRow key={row.row} row={row} />
          ))}
        </div>
      </Section>
      {may.decide ? <Decision proposal={proposal} isInProgress={tape.isInProgress} /> : null}
      {page.deliveries ? (
        <Deliveries
          deliveries={page.deliveries}
          maySendAgain
          isFolded
          head="Of"
          nobody="No user who may change tapes could be told. Invite one of the manager or the borrower."
        />
      ) : null}
      {proposal.status === 'Outdated' ? (
        <Link to={paths.tape(tape.id, { view: 'errored' })} className="text-sm text-accent hover:underline">
          View current errored rows
        </Link>
      ) : null}
    </>
  );
}
