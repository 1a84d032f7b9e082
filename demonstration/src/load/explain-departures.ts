import type { Caller } from '@tapeline/launch/client/caller.ts';
import { readData } from '../data.ts';
import { filtered } from './request-draws.ts';

interface Explained {
  readonly company: string;
  readonly cutOffDate: string;
  /** Each of so many of the loans that are unexplained, those with the largest balance first. */
  readonly statements: readonly { readonly kind: string; readonly loans: number; readonly reason: string }[];
}

const ROLL_FORWARD = '/LTP/analytics/rollForward';

/** Says what happened to loans that left the tapes, unless an earlier run has already done so. */
export async function explainDepartures(manager: Caller): Promise<void> {
  for (const { company: name, cutOffDate, statements } of readData<Explained[]>('departures')) {
    const [company] = await manager.get<{ id: string }[]>(filtered('/crud/companies', { name }));
    const [tape] = await manager.get<{ id: string }[]>(
      filtered('/crud/loanTape', { company: company?.id ?? '', cutOffDate }),
    );
    if (!tape) throw new Error(`there is no tape of ${name} at ${cutOffDate}`);
    const stored = await manager.get<unknown[]>(`${ROLL_FORWARD}/departures?loanTapeId=${tape.id}`);
    for (const { loans, ...statement } of statements.slice(stored.length)) {
      const left = await manager.get<{ id: string }[]>(
        `${ROLL_FORWARD}/assets?loanTapeId=${tape.id}&line=left&limit=${loans}`,
      );
      const assetIds = left.map(({ id }) => id);
      await manager.post(`${ROLL_FORWARD}/departures`, { loanTapeId: tape.id, ...statement, assetIds });
    }
  }
}
