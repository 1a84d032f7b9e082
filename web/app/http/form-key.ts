/** The hidden field with the one-time key of a form. A form that is sent twice with one key is carried out once. */
export const FORM_KEY = 'formKey';

/** Identifies the content of a form whose files were stored before it is read: their keys differ each time. */
export const SENT_CONTENT = 'sentContent';

/** A key that no other form has. Also outside of secure contexts, where `crypto.randomUUID` is missing. */
export const newFormKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
