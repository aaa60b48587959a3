import hooks from 'eslint-plugin-react-hooks'
import typescript from 'typescript-eslint'

export default typescript.config(
  { ignores: ['src/api/schema.d.ts', 'src/query/vocabulary.ts'] },
  ...typescript.configs.strict,
  hooks.configs.flat.recommended,
  {
    rules: {
      // The OpenAPI document says which members exist; where it allows any value,
      // the code checks it.
      '@typescript-eslint/no-non-null-assertion': 'error',
      // TanStack Table and Virtual return functions that the React compiler cannot
      // memoise; the compiler is not used here.
      'react-hooks/incompatible-library': 'off',
    },
  },
)
