import type { FieldMetadata } from '@conform-to/react';
import { choicesOf } from '@tapeline/domain/documents/labels.ts';
import { BANK_TYPES } from '@tapeline/domain/entities/bank.schema.ts';
import type { EntityInput } from '@tapeline/domain/entities/entity.schema.ts';
import { SelectField, TextField } from '../forms/fields.tsx';

type Bank = NonNullable<EntityInput['banks']>[number];

/** The fields of a bank account. */
export function BankFields({ bank }: { bank: FieldMetadata<Bank> }) {
  const fields = bank.getFieldset();
  return (
    <>
      <TextField field={fields.title} label="Account title" hint="For example Main account" />
      <SelectField field={fields.type} label="Account type" choices={choicesOf(BANK_TYPES)} empty="Choose a type" />
      <TextField field={fields.accountNumber} label="Account number" autoComplete="off" />
      <TextField field={fields.accountName} label="Account holder" hint="The beneficiary of a payment" />
      <TextField field={fields.bankName} label="Bank" hint="For example First Tidewater Bank" />
      <TextField field={fields.IBAN} label="IBAN" autoComplete="off" />
      <TextField field={fields.swiftCode} label="SWIFT code (BIC)" autoComplete="off" />
      <TextField field={fields.abaOrRouting} label="ABA routing number" autoComplete="off" inputMode="numeric" />
      <TextField field={fields.branch} label="Branch" />
      <TextField field={fields.address} label="Address of the bank" className="sm:col-span-2" />
    </>
  );
}
