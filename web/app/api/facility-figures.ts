import {
  createFacilityFigure,
  FACILITY_FIGURES,
  type FacilityFigureView,
  getFacilityFigure,
  listFacilityFigures,
  removeFacilityFigure,
  reviewFacilityFigure,
  updateFacilityFigure,
} from '@tapeline/db/operations/covenants/facility-figures.ts';
import { callsOf } from '@tapeline/domain/collections/collections.ts';
import { documentSchema } from '@tapeline/domain/documents/document.schema.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import {
  facilityFigureCreateSchema,
  facilityFigureUpdateSchema,
} from '@tapeline/domain/facility-figures/facility-figure.schema.ts';
import { FACILITY_FIGURE_STATUSES } from '@tapeline/domain/facility-figures/facility-figure-labels.ts';
import { exactNumber } from '@tapeline/domain/wire/json.ts';
import { z } from 'zod';
import { baseOf, idParamsSchema } from './documents.ts';
import { type Endpoint, endpoint } from './endpoint.ts';
import { ofCollection, resource } from './resource.ts';

const responseSchema = documentSchema
  .extend({
    status: z.enum(FACILITY_FIGURE_STATUSES).meta({ description: 'Tests read Reviewed figures' }),
    company: idSchema,
    companyName: z.string(),
    title: z.string().meta({ description: 'What formulas of covenants call it' }),
    date: z.string(),
    value: z.number(),
    currency: z.string().nullable().meta({ description: 'Null for a figure that is no amount of money' }),
    remark: z.string().nullable(),
    document: z.string().nullable().meta({ description: 'Id of the file' }),
    enteredBy: z.string(),
    reviewedBy: z.string().nullable(),
    reviewedAt: z.string().nullable(),
  })
  .meta({ id: 'FacilityFigure' });

const toBody = (figure: FacilityFigureView) => ({
  ...baseOf(figure),
  company: figure.companyId,
  companyName: figure.companyName,
  title: figure.title,
  date: figure.date,
  value: exactNumber(figure.value),
  currency: figure.currency ?? null,
  remark: figure.remark ?? null,
  document: figure.fileId ?? null,
  enteredBy: figure.enteredBy.name,
  reviewedBy: figure.reviewedBy?.name ?? null,
  reviewedAt: figure.reviewedAt?.toISOString() ?? null,
});

/** Dated figures of borrowers that no tape holds, such as sales or tangible net worth. */
export const facilityFigureEndpoints: readonly Endpoint[] = [
  ...resource({
    ...ofCollection('facilityFigures'),
    firstStatus: 'Entered',
    response: responseSchema,
    toBody,
    list: { listable: FACILITY_FIGURES, load: listFacilityFigures },
    get: getFacilityFigure,
    create: {
      body: facilityFigureCreateSchema,
      run: createFacilityFigure,
      summary: 'Enter a facility figure of a borrower, or a list of them. Someone else reviews each',
      example: {
        company: '65f0c2a1b3d4e5f601234567',
        title: 'Tangible net worth',
        date: '2026-09-30',
        value: 46_200_000,
        currency: 'USD',
      },
    },
    update: {
      body: facilityFigureUpdateSchema,
      run: updateFacilityFigure,
      summary: 'Update a facility figure that is not reviewed',
    },
    remove: { run: removeFacilityFigure, summary: 'Remove a facility figure. Results that read it stay' },
  }),
  endpoint({
    method: 'POST',
    path: `${callsOf('facilityFigures')}/{id}/review`,
    access: 'transactions/write',
    summary: 'Review a facility figure. The person who entered it cannot review it. Covenants that read it are tested',
    params: idParamsSchema,
    response: responseSchema,
    handle: ({ params, db }) =>
      db(async (session) => ({ body: toBody(await reviewFacilityFigure(session, params.id)) })),
  }),
];
