import {
  areSameRules,
  type GivenSecondPersonRules,
  isLooser,
  rulesOf,
  type SecondPersonProposal,
  type SecondPersonRules,
  withGiven,
} from '@tapeline/domain/approvals/second-person.ts';
import { makerOf } from '@tapeline/domain/documents/maker.ts';
import { Refusal, refuse } from '@tapeline/domain/errors/refusal.ts';
import { changedBy } from '../../changed-by.ts';
import { staleRefusal } from '../../database-refusals.ts';
import { Manager } from '../../entities/people.ts';
import type { ReadSession } from '../../read-session.ts';
import { asProgram, type Session } from '../../store.ts';
import { changedMetadata } from '../metadata.ts';
import { requirePermission } from '../permission.ts';

/** Whoever decides what roles may do decides when two people are needed. */
export const SECOND_PERSON_PERMISSION = 'roles/write';

/** When a manager's documents need a second person, and the change that waits for one. */
export interface SecondPersonSetting {
  readonly version: number;
  readonly rules: SecondPersonRules;
  readonly proposal: SecondPersonProposal | null;
}

/** The setting of the manager that the actor acts for. @throws Refusal notFound */
export async function readSecondPerson(session: ReadSession): Promise<SecondPersonSetting> {
  const [found] = await session.query<{ version: number; rules: object; proposal: SecondPersonProposal | null }>(
    `select version, second_person as rules, second_person_proposal as proposal from managers where id = $1`,
    [session.actor.kind === 'user' ? session.actor.managerId : null],
  );
  if (!found) throw new Refusal('notFound');
  return { ...found, rules: rulesOf(found.rules) };
}

const isProposedBy = ({ actor }: Session, { by }: SecondPersonProposal): boolean =>
  actor.kind === 'user' && actor.userId === by;

/**
 * Gives a manager other rules. Rules that ask at least as often apply at once. Others are proposed, and apply once another
 * person asks for the same: otherwise one person could switch the rule off, issue, and switch it on again.
 */
export function giveRules(session: Session, manager: Manager, given: GivenSecondPersonRules): void {
  const rules = withGiven(rulesOf(manager.secondPerson), given);
  if (areSameRules(rules, rulesOf(manager.secondPerson))) return;
  const proposal = manager.secondPersonProposal ?? null;
  const isConfirmed =
    proposal !== null && areSameRules(rulesOf(proposal.rules), rules) && !isProposedBy(session, proposal);
  if (isConfirmed || !isLooser(rules, rulesOf(manager.secondPerson))) {
    // What was proposed is stored as it was: the database compares both.
    manager.secondPerson = isConfirmed ? proposal.rules : rules;
    manager.secondPersonProposal = null;
    return;
  }
  const by = changedBy(session);
  manager.secondPersonProposal = {
    rules,
    by: session.actor.kind === 'user' ? session.actor.userId : null,
    name: makerOf({ iat: '', createdBy: by }) ?? '',
    at: by.timestamp ?? session.now.toISOString(),
  };
}

async function changeOwn(session: Session, version: number, change: (manager: Manager) => void): Promise<void> {
  requirePermission(session, SECOND_PERSON_PERMISSION);
  const { actor } = session;
  const id = actor.kind === 'user' ? actor.managerId : null;
  if (id === null) throw new Refusal('notFound');
  // A manager's people cannot change its document, of which this is the only part that is theirs.
  await asProgram(session, async () => {
    const manager = await session.em.findOneOrFail(Manager, { id });
    if (manager.version !== version) throw staleRefusal(manager, version);
    change(manager);
    manager.metadata = changedMetadata(session, manager.metadata);
    await session.em.flush();
  });
}

/** Changes the rules of the actor's manager, or proposes it: see `giveRules`. @throws Refusal forbidden; badRequest if stale */
export const changeSecondPerson = (
  session: Session,
  { version, rules }: { version: number; rules: GivenSecondPersonRules },
): Promise<void> => changeOwn(session, version, (manager) => giveRules(session, manager, rules));

/**
 * Confirms or withdraws the proposed rules of the actor's manager.
 * @throws Refusal forbidden; badRequest if stale, if nothing is proposed, and for who proposes it and confirms it
 */
export const decideSecondPerson = (
  session: Session,
  { version, step }: { version: number; step: 'confirm' | 'discard' },
): Promise<void> =>
  changeOwn(session, version, (manager) => {
    const proposal = manager.secondPersonProposal ?? null;
    if (proposal === null)
      return refuse('No change waits for a second person', { secondPerson: 'has no proposed change' });
    if (step === 'discard') {
      manager.secondPersonProposal = null;
      return;
    }
    giveRules(session, manager, rulesOf(proposal.rules));
    if (manager.secondPersonProposal !== null) {
      refuse('You proposed this change, so somebody else must confirm it', { secondPerson: 'was proposed by you' });
    }
  });
