/** The variable that tells a phase a value of its matrix: `node-version` as `MATRIX_NODE_VERSION`. */
export function matrixVariable(name: string): string {
  return `MATRIX_${name.toUpperCase().replaceAll('-', '_')}`;
}
