import { redirect } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import {
  changeSecondPerson,
  decideSecondPerson,
  readSecondPerson,
  SECOND_PERSON_PERMISSION,
} from '@tapeline/db/operations/managers/second-person.ts';
import {
  hasAmount,
  ruleText,
  SECOND_PERSON_KIND_LABELS,
  SECOND_PERSON_KINDS,
  SECOND_PERSON_LABELS,
  SECOND_PERSON_LABELS_WITHOUT_AMOUNT,
  type SecondPersonRules,
  secondPersonShape,
} from '@tapeline/domain/approvals/second-person.ts';
import { choicesOf } from '@tapeline/domain/documents/labels.ts';
import { can } from '@tapeline/domain/people/actor.ts';
import { z } from 'zod';
import { DateText } from '../../components/figures/figures.tsx';
import { writtenAmount } from '../../components/figures/format.ts';
import { ActionForm } from '../../components/forms/action-form.tsx';
import { ActionProblems } from '../../components/forms/action-problems.tsx';
import { AmountFields } from '../../components/forms/amount-fields.tsx';
import { optionalGroup } from '../../components/forms/blank.ts';
import { IntentForm } from '../../components/forms/intent-form.tsx';
import { versionField } from '../../components/forms/version-field.ts';
import { Notice } from '../../components/page/notice.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { Facts, PanelSection } from '../../components/page/section.tsx';
import { type ActionAnswer, act, intent, readScreenOfManager } from '../../http/screen.server.ts';
import { paths } from '../../paths.ts';

export const handle = { title: 'Second person' };

const versionShape = { managerVersion: versionField };
const rulesForm = z.object({ ...versionShape, ...secondPersonShape((limit) => optionalGroup(limit, 'currency')) });

export const loader = readScreenOfManager('roles/read', async ({ db, actor, url }) => {
  const setting = await db(readSecondPerson);
  return {
    ...setting,
    isOwn: setting.proposal?.by === actor.userId,
    mayWrite: can(actor, SECOND_PERSON_PERMISSION),
    done: url.searchParams.get('done'),
  };
});

const deciding = (step: 'confirm' | 'discard') =>
  intent({
    permission: SECOND_PERSON_PERMISSION,
    schema: z.object(versionShape),
    async run({ managerVersion: version }, { db }) {
      await db((session) => decideSecondPerson(session, { version, step }));
      return redirect(paths.secondPerson({ done: step === 'confirm' ? 'confirmed' : 'discarded' }));
    },
  });

export const action = act({
  rules: intent({
    permission: SECOND_PERSON_PERMISSION,
    schema: rulesForm,
    async run({ managerVersion: version, ...rules }, { db }) {
      const { proposal } = await db(async (session) => {
        await changeSecondPerson(session, { version, rules });
        return readSecondPerson(session);
      });
      return redirect(paths.secondPerson({ done: proposal ? 'proposed' : 'saved' }));
    },
  }),
  confirm: deciding('confirm'),
  discard: deciding('discard'),
});

const DONE: Readonly<Record<string, string>> = {
  saved: 'The rules are saved and apply now.',
  confirmed: 'The change is confirmed and applies now.',
  discarded: 'The proposed change is withdrawn. The rules stay as they are.',
};

const HINT = 'In another currency, or of an unknown amount: always';

const factsOf = (rules: SecondPersonRules) =>
  SECOND_PERSON_KINDS.map((kind) => ({
    label: SECOND_PERSON_KIND_LABELS[kind],
    value: ruleText(rules[kind], writtenAmount),
  }));

export default function SecondPerson() {
  const { version, rules, proposal, isOwn, mayWrite, done } = useLoaderData<typeof loader>();
  const answer = useActionData<ActionAnswer>();
  const values = { managerVersion: String(version) };
  const doneText = DONE[done ?? ''];
  return (
    <>
      <PageHeader title="Second person" facts={['When a document is issued by somebody else than who prepared it']} />
      {doneText ? <Notice tone="good">{doneText}</Notice> : null}
      <ActionProblems answer={answer} ofForms={['rules']} />
      {proposal ? (
        <PanelSection title="Proposed change" padded className="max-w-3xl">
          <p className="mb-3 text-sm">
            {isOwn ? 'You' : proposal.name} proposed on <DateText value={proposal.at} /> to ask for a second person less
            often.{' '}
            {isOwn
              ? 'The rules below apply until somebody else who may change roles confirms it.'
              : 'The rules below apply until you or somebody else confirms it.'}
          </p>
          <Facts items={factsOf(proposal.rules)} />
          {mayWrite ? (
            <div className="mt-4 flex flex-wrap gap-2">
              <ActionForm intent="discard" values={values}>
                {isOwn ? 'Withdraw' : 'Decline'}
              </ActionForm>
              {isOwn ? null : (
                <ActionForm intent="confirm" values={values} tone="primary">
                  Confirm
                </ActionForm>
              )}
            </div>
          ) : null}
        </PanelSection>
      ) : null}
      {mayWrite ? (
        <PanelSection title="Rules" padded className="max-w-3xl">
          <IntentForm
            key={version}
            intent="rules"
            sent={values}
            values={rules}
            className="grid gap-4 sm:grid-cols-2"
            lines={SECOND_PERSON_KINDS.flatMap((kind) => [
              {
                name: `${kind}.when`,
                label: SECOND_PERSON_KIND_LABELS[kind],
                choices: choicesOf(hasAmount(kind) ? SECOND_PERSON_LABELS : SECOND_PERSON_LABELS_WITHOUT_AMOUNT),
              },
              ...(hasAmount(kind)
                ? [
                    {
                      name: `${kind}.amount`,
                      amount: AmountFields,
                      label: 'Amount',
                      optional: true,
                      hint: HINT,
                    } as const,
                  ]
                : []),
            ])}
            submit="Save"
            submitting="Saving"
          />
          <p className="mt-4 text-sm text-ink-2">
            Asking more often applies at once. Asking less often applies when somebody else confirms it.
          </p>
        </PanelSection>
      ) : (
        <PanelSection title="Rules" padded className="max-w-3xl">
          <Facts items={factsOf(rules)} />
        </PanelSection>
      )}
    </>
  );
}
