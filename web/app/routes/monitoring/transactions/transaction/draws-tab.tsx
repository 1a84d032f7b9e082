import type { FacilityTab } from '../transaction-page.server.ts';
import { NoteDraws } from './note-draws.tsx';
import { NoteLedger } from './note-ledger.tsx';

/** What was requested, drawn and repaid, and the balance and interest that follow. */
export const DrawsTab = ({ page }: { page: FacilityTab<'draws'> }) => (
  <>
    <NoteDraws page={page} />
    <NoteLedger page={page} />
  </>
);
