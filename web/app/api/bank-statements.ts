import type { DeliveredFile } from '@tapeline/db/entities/bank-statements.ts';
import {
  BANK_STATEMENTS,
  type BankStatementView,
  getBankStatement,
  linesOfStatement,
  listBankStatements,
  type StoredLine,
} from '@tapeline/db/operations/cash/bank-statements.ts';
import { listStatementFiles, STATEMENT_FILES } from '@tapeline/db/operations/cash/statement-files.ts';
import {
  bankStatementSchema,
  importedStatementsSchema,
  statementImportSchema,
  statementWithLinesSchema,
} from '@tapeline/domain/cash/bank-statement.schema.ts';
import { statementFileSchema } from '@tapeline/domain/cash/statement-file.schema.ts';
import { pick } from '@tapeline/domain/documents/pick.ts';
import { importStatementFile } from '../commands/bank-statements.server.ts';
import { inCurrency } from './capital-bodies.ts';
import { baseOf, idParamsSchema } from './documents.ts';
import { type Endpoint, endpoint } from './endpoint.ts';
import { ofCollection, resource } from './resource.ts';

const balanceOf = (date: string | null | undefined, amount: string | null | undefined, currency: string) =>
  date == null || amount == null ? null : { date, amount: inCurrency(amount, currency) };

const toBody = (statement: BankStatementView) => ({
  ...baseOf(statement),
  bankAccount: statement.bankAccount,
  format: statement.format,
  number: statement.number,
  from: statement.fromDate ?? null,
  to: statement.toDate,
  opening: balanceOf(statement.openingDate, statement.openingAmount, statement.currency),
  closing: balanceOf(statement.closingDate, statement.closingAmount, statement.currency),
  lineCount: statement.lineCount,
  gap: statement.gap && {
    after: statement.gap.after,
    amount: inCurrency(statement.gap.amount, statement.currency),
  },
  fileName: statement.fileName,
});

const toLine = (line: StoredLine, currency: string) => ({
  payment: line.paymentId,
  reference: line.reference,
  bookedOn: line.bookedOn,
  valuedOn: line.valuedOn,
  amount: inCurrency(line.amount, currency),
  original: line.original && inCurrency(line.original.amount, line.original.currency),
  ...pick(line, 'counterpartyName', 'counterpartyAccount', 'remittance', 'endToEndId', 'returnReason'),
});

/** A file that a bank delivered. */
const toFile = (file: DeliveredFile) => ({
  ...baseOf(file),
  ...pick(file, 'name', 'size', 'outcome', 'statements', 'added'),
  writtenAt: file.writtenAt.toISOString(),
  reason: file.reason ?? null,
  file: file.fileId ?? null,
});

const described = ofCollection('bankStatements');

export const bankStatementEndpoints: readonly Endpoint[] = [
  ...resource({
    ...ofCollection('statementFiles'),
    response: statementFileSchema,
    toBody: toFile,
    list: {
      listable: STATEMENT_FILES,
      load: listStatementFiles,
      summary:
        'List the files of bank statements that banks delivered to the object storage, with why a file was refused, the latest first',
    },
  }),
  ...resource({
    ...described,
    response: bankStatementSchema,
    toBody,
    list: { listable: BANK_STATEMENTS, load: listBankStatements },
  }),
  endpoint({
    method: 'GET',
    path: `${described.path}/{id}`,
    access: described.read,
    summary: 'Get a bank statement with its lines',
    params: idParamsSchema,
    response: statementWithLinesSchema,
    handle: ({ params, db }) =>
      db(async (session) => {
        const statement = await getBankStatement(session, params.id);
        const lines = await linesOfStatement(session, { id: statement.id });
        return { body: { ...toBody(statement), lines: lines.map((line) => toLine(line, statement.currency)) } };
      }),
  }),
  endpoint({
    method: 'POST',
    path: described.path,
    access: described.write,
    summary:
      'Import an uploaded file of bank statements: camt.053, camt.054, MT940, BAI2 or CSV. All of it is imported, or nothing. Each line becomes a payment; the same file again adds nothing',
    body: statementImportSchema,
    example: { body: { attachment: { key: '65f0c2a1b3d4e5f601234567/2026-03-05.xml' } } },
    response: importedStatementsSchema,
    handle: async ({ body, ...call }) => {
      const imported = await importStatementFile(call, body);
      return { body: imported.map(({ statement, ...rest }) => ({ ...toBody(statement), ...rest })) };
    },
  }),
];
