/** How a second person has checked an account today, as calls take it. */
export const calledBack = () => ({
  number: '+44 20 7946 0018, subscription agreement of 2024',
  contact: 'Ann Berg',
  calledOn: new Date().toISOString().slice(0, 10),
  readBack: true,
});

/** The same as the form in Approvals sends it. */
export const callBackFields = () => {
  const { number, contact, calledOn } = calledBack();
  return {
    'check.number': number,
    'check.contact': contact,
    'check.calledOn': calledOn,
    'check.readBack': 'on',
  };
};
