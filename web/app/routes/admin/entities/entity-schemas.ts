import { z } from 'zod';
import { describeForm } from '../../../components/forms/describe-form.ts';
import { versionField } from '../../../components/forms/version-field.ts';
import { entityFormSchema } from '../../../components/organizations/entity-form.ts';

export const newEntitySchema = z.object({ entity: entityFormSchema });
export const newEntityDescription = describeForm(newEntitySchema);

export const entityEditSchema = newEntitySchema.extend({ entityVersion: versionField });
export const entityEditDescription = describeForm(entityEditSchema);
