#!/usr/bin/env bash
# Runs Gatecheck with the inputs of the action as its options: INPUT_MAX_QUOTA=5 becomes --max-quota 5. An empty input is
# left out, `true` is an option without a value, and of some options each line is one.
set -euo pipefail

args=(run --yes)
for variable in $(compgen -e INPUT_ | sort); do
  value=${!variable}
  name=$(tr 'A-Z_' 'a-z-' <<<"${variable#INPUT_}")
  case $name in
    fresh | read-only | update-baseline | strict)
      if [ "$value" = true ]; then args+=("--$name"); fi
      ;;
    only | require)
      while IFS= read -r line; do
        if [ -n "$line" ]; then args+=("--$name" "$line"); fi
      done <<<"$value"
      ;;
    *)
      if [ -n "$value" ]; then args+=("--$name" "$value"); fi
      ;;
  esac
done
exec node "$GITHUB_ACTION_PATH/bin/gatecheck.js" "${args[@]}"
