import { PaidSection } from '../../../cash/paid-section.tsx';
import type { FacilityTab } from '../transaction-page.server.ts';
import { NoteDraws } from './note-draws.tsx';
import { NoteInvoices } from './note-invoices.tsx';
import { NoteLedger } from './note-ledger.tsx';

/** What was requested, drawn and repaid, what was paid of it, what was invoiced, and the balance and interest that follow. */
export const DrawsTab = ({ page }: { page: FacilityTab<'draws'> }) => (
  <>
    <NoteDraws page={page} />
    {page.tab.paid ? <PaidSection paid={page.tab.paid} title="Payments of draws" isPayable /> : null}
    <NoteInvoices page={page} />
    <NoteLedger page={page} />
  </>
);
