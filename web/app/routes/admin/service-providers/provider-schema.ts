import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import { serviceProviderCreateSchema } from '@tapeline/domain/service-providers/service-provider.schema.ts';
import { describeForm } from '../../../components/forms/describe-form.ts';
import { versionField } from '../../../components/forms/version-field.ts';

const providerFormSchema = serviceProviderCreateSchema.pick({ title: true, type: true, description: true });

export const newProviderSchema = providerFormSchema.extend({ entityId: idSchema.optional() });
export const newProviderDescription = describeForm(newProviderSchema);

export const providerEditSchema = providerFormSchema.extend({ providerVersion: versionField });
export const providerEditDescription = describeForm(providerEditSchema);
