import { join } from 'node:path';
import { calendarDateOf } from '@tapeline/domain/dates/calendar-day.ts';
import { Caller } from '@tapeline/launch/client/caller.ts';
import { z } from 'zod';
import { askQuestions } from './load/ask-questions.ts';
import { certifyBases } from './load/certify-bases.ts';
import { enterAmendments } from './load/enter-amendments.ts';
import { enterCovenants } from './load/enter-covenants.ts';
import { enterDeliverables } from './load/enter-deliverables.ts';
import { explainDepartures } from './load/explain-departures.ts';
import { importContacts } from './load/import-contacts.ts';
import { importStatements } from './load/import-statements.ts';
import { keepScenarios } from './load/keep-scenarios.ts';
import { loadReceivables } from './load/load-receivables.ts';
import { loadYear } from './load/load-year.ts';
import { proposeCorrection } from './load/propose-correction.ts';
import { publishAnnouncements } from './load/publish-announcements.ts';
import { readDocuments } from './load/read-documents.ts';
import { requestDraws } from './load/request-draws.ts';
import { uploadReports } from './load/upload-reports.ts';
import { uploadTapes } from './load/upload-tapes.ts';
import {
  ANALYST_EMAIL,
  BORROWER_EMAIL,
  COLLEAGUE_EMAIL,
  INVESTOR_EMAIL,
  SEVERN_FACILITY,
  UPLOADER_EMAIL,
} from './names.ts';
import { uploadsOf } from './tapes.ts';

/**
 * Loads the demonstration through the running product's own calls. As the manager and the borrower of the first facility:
 * tapes, loans that left them, a correction, draws, covenants, certificates, amendments and what the borrower must deliver; then questions,
 * reports, contacts, bank statements, announcements and what investors have read. Unless it is short, a year of another
 * facility follows, month by month, and a facility of receivables.
 * The supervisor runs this once the first start is ready. If it is interrupted, the next run continues where it
 * stopped.
 */
const { PUBLIC_URL, TAPELINE_HOME, DEMONSTRATION } = z
  .object({
    PUBLIC_URL: z.url(),
    TAPELINE_HOME: z.string().min(1).default('.tapeline'),
    DEMONSTRATION: z.string().default('on'),
  })
  .parse(process.env);

const target = { url: PUBLIC_URL.replace(/\/+$/, ''), mailFolder: join(TAPELINE_HOME, 'mail') };
const signIn = (email: string) => Caller.signedIn(target, email);
const api = await signIn(UPLOADER_EMAIL);
const say = (line: string) => process.stdout.write(`${line}\n`);
await uploadTapes(api, [...uploadsOf('northwind'), ...uploadsOf('alder')], say);
await explainDepartures(api);
const borrower = await signIn(BORROWER_EMAIL);
await proposeCorrection(borrower);
await requestDraws({ borrower, manager: api });
const colleague = await signIn(COLLEAGUE_EMAIL);
await enterCovenants({ manager: api, colleague }, 'Northwind warehouse facility');
await certifyBases({ borrower, manager: api, colleague }, 'Northwind warehouse facility');
await enterAmendments(api, 'Northwind warehouse facility');
await keepScenarios(api);
await enterDeliverables({ manager: api, sender: borrower }, 'Northwind warehouse facility');
await askQuestions(api);
await uploadReports(api);
await importContacts(api);
await importStatements(api, calendarDateOf(new Date()));
await publishAnnouncements(api);
await readDocuments(await signIn(INVESTOR_EMAIL));
if (DEMONSTRATION !== 'short') {
  const analyst = await signIn(ANALYST_EMAIL);
  await loadYear({ manager: api, analyst, colleague }, say);
  await enterCovenants({ manager: api, colleague }, SEVERN_FACILITY);
  await enterAmendments(api, SEVERN_FACILITY);
  await loadReceivables({ manager: api, analyst, colleague }, say);
  await enterDeliverables({ manager: api, sender: analyst }, SEVERN_FACILITY);
}
