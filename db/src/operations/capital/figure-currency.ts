import type { ReadSession } from '../../read-session.ts';

/**
 * The currency of figures over several commitments: the one asked for; else that of the only fund; else, for an
 * investor, that of its commitments if they share one; else the manager's, or the only one that there is, or USD.
 * @param given.currencies of the commitments that the figures cover
 */
export function figureCurrency(
  session: Pick<ReadSession, 'actor'>,
  given: {
    asked?: string | undefined;
    fund?: string | undefined;
    investorId: string | null;
    manager?: string | null | undefined;
    currencies: Iterable<string>;
  },
): string {
  const { actor } = session;
  const [only, ...others] = new Set(given.currencies);
  const shared = others.length === 0 ? only : undefined;
  const isOfInvestor =
    given.investorId !== null || (actor.kind === 'user' && (actor.type === 'LP' || actor.type === 'LPGroup'));
  return given.asked ?? given.fund ?? (isOfInvestor ? shared : undefined) ?? given.manager ?? shared ?? 'USD';
}
