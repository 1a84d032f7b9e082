import { join } from 'node:path';
import { demonstrationDraws } from '@tapeline/db/seed/demonstration/draws.ts';
import { CREDIT_FUND } from '@tapeline/db/seed/demonstration/funds.ts';
import { demonstrationImport } from '@tapeline/db/seed/demonstration/imports.ts';
import {
  ANALYST_EMAIL,
  demonstrationUploads,
  INVESTOR_EMAIL,
  NORTHWIND_COMPANY,
  UPLOADER_EMAIL,
} from '@tapeline/db/seed/demonstration/portfolio.ts';
import { BORROWER_EMAIL, demonstrationProposal } from '@tapeline/db/seed/demonstration/proposal.ts';
import { demonstrationReports } from '@tapeline/db/seed/demonstration/reports.ts';
import { severnYear } from '@tapeline/db/seed/demonstration/severn-year.ts';
import { z } from 'zod';
import { Caller } from './client/caller.ts';
import { askQuestions } from './demonstration/ask-questions.ts';
import { importContacts } from './demonstration/import-contacts.ts';
import { loadYear } from './demonstration/load-year.ts';
import { proposeCorrection } from './demonstration/propose-correction.ts';
import { publishAnnouncements } from './demonstration/publish-announcements.ts';
import { readDocuments } from './demonstration/read-documents.ts';
import { requestDraws } from './demonstration/request-draws.ts';
import { uploadReports } from './demonstration/upload-reports.ts';
import { uploadTapes } from './demonstration/upload-tapes.ts';

/**
 * Uploads the demonstration's tapes to the running product as its manager, and proposes a correction and
 * requests draws as its borrower. Then loads a year of another facility, month by month.
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
await uploadTapes(api, demonstrationUploads(), say);
const borrower = await signIn(BORROWER_EMAIL);
await proposeCorrection(borrower, demonstrationProposal());
await requestDraws({ borrower, manager: api }, demonstrationDraws());
await askQuestions(api);
await uploadReports(api, demonstrationReports());
await importContacts(api, demonstrationImport());
await publishAnnouncements(api, { fund: CREDIT_FUND, company: NORTHWIND_COMPANY });
await readDocuments(await signIn(INVESTOR_EMAIL));
if (DEMONSTRATION !== 'short') {
  const analyst = await signIn(ANALYST_EMAIL);
  await loadYear({ manager: api, analyst }, severnYear(), say);
}
