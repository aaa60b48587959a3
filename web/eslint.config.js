import hooks from 'eslint-plugin-react-hooks'
import typescript from 'typescript-eslint'

export default typescript.config(
  { ignores: ['src/api/schema.d.ts'] },
  ...typescript.configs.strict,
  hooks.configs.flat.recommended,
  {
    rules: {
      // The document of the API names members that are there; where it says
      // "any value" the code checks what it got.
      '@typescript-eslint/no-non-null-assertion': 'error',
      // TanStack's table and virtualiser hand out functions that the React
      // compiler cannot memoise; it is not used here.
      'react-hooks/incompatible-library': 'off',
    },
  },
)
