import {
  FIRST_STEPS,
  type FirstStep,
  type FirstSteps,
  firstStepsOf,
} from '@tapeline/db/operations/managers/first-steps.ts';
import { can, type PermissionKey } from '@tapeline/domain/people/actor.ts';
import { hidesFirstSteps } from '../../http/preferences.server.ts';
import type { Screen } from '../../http/screen.server.ts';
import { paths } from '../../paths.ts';

interface Action {
  readonly label: string;
  readonly to: string;
}

/** What a step asks for, and its links with the permission that each needs. */
interface Words {
  readonly title: string;
  readonly about: string;
  /** What is to be done before it. */
  readonly after?: (steps: FirstSteps) => string | null;
  readonly actions: (steps: FirstSteps) => readonly (Action & { permission: PermissionKey })[];
}

const WORDS: Readonly<Record<FirstStep, Words>> = {
  party: {
    title: 'Add a borrower or a fund',
    about: 'A borrower uploads loan tapes. A fund calls capital from its investors.',
    actions: () => [
      { label: 'New borrower', to: paths.newCompany(), permission: 'companies/write' },
      { label: 'New fund', to: paths.newFund(), permission: 'funds/write' },
    ],
  },
  people: {
    title: 'Invite your people',
    about: 'Colleagues, borrowers and investors see only what their role allows.',
    actions: () => [{ label: 'Invite a user', to: paths.newUser(), permission: 'users/write' }],
  },
  bank: {
    title: 'Enter a bank account',
    about: 'Notices of capital calls state the account of the fund.',
    actions: ({ entity, fund }) => [
      {
        label: 'Add an account',
        to: fund ? paths.addBankAccount({ fund }) : entity ? paths.addBankAccount({ entity }) : paths.entities(),
        permission: fund ? 'funds/write' : 'entities/write',
      },
    ],
  },
  record: {
    title: 'Upload the first loan tape, or add the first commitment',
    about: 'Borrowing bases and capital accounts start with it.',
    after: ({ done }) => (done.party ? null : 'Add a borrower or a fund first.'),
    actions: ({ done }) =>
      done.party
        ? [
            { label: 'Upload a tape', to: paths.newTape(), permission: 'assets/write' },
            { label: 'Choose a fund', to: paths.funds(), permission: 'LPs/commitments/write' },
          ]
        : [],
  },
};

/** The checklist of a new manager; null once it is complete or was hidden in this browser, and for everybody else. */
export async function readFirstSteps({ actor, db, request, context }: Screen) {
  const { managerId, type } = actor;
  if (managerId === null || (type !== 'manager' && type !== 'admin')) return null;
  if (hidesFirstSteps(request, context, managerId)) return null;
  const found = await db(firstStepsOf);
  if (!found) return null;
  const steps = FIRST_STEPS.map((step) => {
    const { actions, after, title, about } = WORDS[step];
    const isDone = found.done[step];
    return {
      step,
      title,
      about: [about, after?.(found)].filter(Boolean).join(' '),
      isDone,
      actions: isDone ? [] : actions(found).filter(({ permission }) => can(actor, permission)),
    };
  });
  // Whoever can take none of the steps needs no list of them.
  return steps.some(({ actions }) => actions.length > 0) ? { managerId, steps } : null;
}
