export async function* readCsvBatches(): AsyncGenerator<never> {}
