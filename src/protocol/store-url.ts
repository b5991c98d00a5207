/** The beginning of the address of a store that several workers share. */
export const databaseUrl = /^postgres(ql)?:\/\//;
