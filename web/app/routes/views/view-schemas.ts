import { gridViewCreateSchema, gridViewUpdateSchema } from '@tapeline/domain/grid-views/grid-view.schema.ts';
import { z } from 'zod';
import { describeForm } from '../../components/forms/describe-form.ts';

export const newViewSchema = gridViewCreateSchema.extend({ back: z.string().max(10_000).optional() });
export const newViewDescription = describeForm(newViewSchema);

export const viewEditDescription = describeForm(gridViewUpdateSchema);
