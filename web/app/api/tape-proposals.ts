import { currencySchema } from '@tapeline/domain/money/amount.schema.ts';
import {
  latestRowCountsSchema,
  loanMonthColumnsSchema,
} from '@tapeline/domain/tapes/latest-rows/latest-rows.schema.ts';
import { PROPOSAL_SOURCE_LABELS } from '@tapeline/domain/tapes/propose/sources.ts';
import { mappingRuleSchema } from '@tapeline/domain/tapes/rule.schema.ts';
import { OTHER_SHEET_KINDS, otherSheetInWords } from '@tapeline/domain/tapes/suggest/sheet-kind.ts';
import { attachmentSchema, MAX_PROPOSED_FILES } from '@tapeline/domain/tapes/tape.schema.ts';
import { z } from 'zod';
import { type Proposal, proposeTapes, type TapeProposal } from '../commands/tape-proposals.server.ts';
import { type Endpoint, endpoint } from './endpoint.ts';

const sources = Object.keys(PROPOSAL_SOURCE_LABELS) as [keyof typeof PROPOSAL_SOURCE_LABELS];
const sourced = {
  source: z.enum(sources).meta({ description: 'Where it was found' }),
  text: z.string().meta({ description: 'The text that was read there; empty if it is not a single text' }),
};
const dateSchema = z.object({ date: z.string().meta({ format: 'date' }), ...sourced });

const otherSheetSchema = z
  .object({
    kind: z.enum(OTHER_SHEET_KINDS),
    message: z.string().meta({ description: 'What shows it, and what to do' }),
    rowPerMonth: loanMonthColumnsSchema
      .extend({
        counts: latestRowCountsSchema
          .optional()
          .meta({ description: 'Missing if the file is too large to be counted at once' }),
      })
      .optional()
      .meta({ description: 'A row for each loan and month: the body of POST /LTP/latestRows, and what would remain' }),
  })
  .meta({ id: 'OtherSheet' });

const proposalSchema = z
  .object({
    attachment: z.object({ key: z.string(), name: z.string() }),
    kind: z.enum(['tape', ...OTHER_SHEET_KINDS, 'unreadable']).meta({
      description: 'tape, or what the file is instead. unreadable: see `problem`',
    }),
    otherSheet: otherSheetSchema.optional().meta({ description: 'What the file is, if it is not a tape' }),
    problem: z.string().optional().meta({ description: 'Why the file cannot be read' }),
    company: z.object({ id: z.string(), name: z.string(), ...sourced }).optional(),
    newCompany: z
      .object({ name: z.string() })
      .optional()
      .meta({ description: 'A name for the company, if none that is known fits' }),
    cutOffDate: dateSchema
      .extend({ others: z.array(dateSchema).meta({ description: 'Other dates that the file names' }) })
      .optional(),
    currency: z.object({ code: currencySchema, ...sourced }).optional(),
    sheetName: z.string().optional(),
    headerRow: z.int().optional().meta({ description: '1-based row of the sheet' }),
    mapping: z
      .object({
        id: z.string(),
        version: z.int(),
        lacking: z.array(z.string()).meta({
          description: 'Columns that it reads and the file lacks or repeats. If there are any, the rules are suggested',
        }),
      })
      .optional()
      .meta({ description: 'The current mapping of the company' }),
    rules: z
      .array(
        z.object({
          originCol: z.string().nullable(),
          targetCol: z.string(),
          confidence: z.number().min(0).max(1),
          enabled: z.boolean().meta({ description: 'Whether it is part of the proposed mapping' }),
          reason: z.string(),
          checks: mappingRuleSchema.shape.checks.unwrap(),
          serializations: mappingRuleSchema.shape.serializations,
          onUnreadable: mappingRuleSchema.shape.onUnreadable,
        }),
      )
      .optional(),
  })
  .meta({ id: 'TapeProposal' });

const otherSheetOf = (
  other: NonNullable<TapeProposal['other']>,
  counts: TapeProposal['latest'],
): z.input<typeof otherSheetSchema> => ({
  kind: other.kind,
  message: otherSheetInWords(other),
  ...(other.kind === 'rowPerMonth' && {
    rowPerMonth: { idColumn: other.id, monthColumn: other.month, ...(counts && { counts }) },
  }),
});

function toBody(proposal: Proposal): z.input<typeof proposalSchema> {
  const attachment = { key: proposal.key, name: proposal.name };
  if ('problem' in proposal) return { attachment, kind: 'unreadable', problem: proposal.problem };
  const { company, cutOffDate, currency, mapping } = proposal;
  return {
    attachment,
    kind: proposal.other?.kind ?? 'tape',
    ...(proposal.other && { otherSheet: otherSheetOf(proposal.other, proposal.latest) }),
    ...(company
      ? { company: { id: company.value, name: company.name, source: company.source, text: company.text } }
      : proposal.newName === ''
        ? {}
        : { newCompany: { name: proposal.newName } }),
    ...(cutOffDate && {
      cutOffDate: {
        date: cutOffDate.value,
        source: cutOffDate.source,
        text: cutOffDate.text,
        others: cutOffDate.others.map(({ value, ...other }) => ({ date: value, ...other })),
      },
    }),
    ...(currency && { currency: { code: currency.value, source: currency.source, text: currency.text } }),
    sheetName: proposal.sheetName,
    ...(proposal.headerRow === null ? {} : { headerRow: proposal.headerRow }),
    ...(mapping && { mapping: { ...mapping, lacking: [...mapping.lacking] } }),
    rules: proposal.rules.map(({ rule, confidence, reason, isOn }) => ({
      originCol: rule.originCol ?? null,
      targetCol: rule.targetCol,
      confidence,
      enabled: isOn,
      reason,
      checks: rule.checks ?? [],
      serializations: rule.serializations ?? [],
      ...(rule.onUnreadable ? { onUnreadable: rule.onUnreadable } : {}),
    })),
  };
}

export const tapeProposalEndpoints: readonly Endpoint[] = [
  endpoint({
    method: 'POST',
    path: '/LTP/proposals',
    access: 'preview/read',
    summary:
      'Propose for each uploaded file its company, cut-off date, currency, sheet and mapping, each with where it was found. Nothing is stored',
    body: z.object({
      attachments: z
        .array(attachmentSchema)
        .min(1, 'At least 1 attachment is required')
        .max(MAX_PROPOSED_FILES, `At most ${MAX_PROPOSED_FILES} files at once`),
    }),
    response: z.array(proposalSchema),
    status: 200,
    async handle({ body, context, actor }) {
      const proposals = await proposeTapes(
        context,
        actor,
        body.attachments.map(({ key }) => ({ fileId: key })),
      );
      return { body: proposals.map(toBody) };
    },
  }),
];
