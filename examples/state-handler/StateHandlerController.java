package com.example.partner;

import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.context.annotation.Profile;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/**
 * A state handler for a server on Spring. It stands in the test environment only ({@code @Profile}): whoever reaches it can make keys.
 * The accounts stand for the storage of your server; the states call the same services as your own administration does.
 */
@RestController
@Profile("test")
public class StateHandlerController {

    private static final class BadRequest extends RuntimeException {
        BadRequest(String message) {
            super(message);
        }
    }

    private static final class Account {
        final Map<String, Object> enterprise;
        volatile boolean active = true;

        Account(Map<String, Object> enterprise) {
            this.enterprise = enterprise;
        }
    }

    private final Map<String, Account> accounts = new ConcurrentHashMap<>();
    private final Map<String, Function<Map<String, Object>, Map<String, Object>>> states = new HashMap<>();

    public StateHandlerController() {
        states.put("capabilities", params -> Map.of(
            "states", List.copyOf(states.keySet()), "now", Instant.now().toString(), "clock", List.of()));
        states.put("enterprise.create", params -> {
            Map<String, Object> enterprise = new ConcurrentHashMap<>();
            enterprise.put("status", "active");
            enterprise.put("included_units", number(params, "included_units", 0));
            enterprise.put("consumed_units", 0);
            return issue(enterprise, number(params, "keys", 1));
        });
        states.put("keys.issue", params -> issue(accountOf(params).enterprise, number(params, "count", 1)));
        states.put("keys.revoke", this::endKey);
        states.put("keys.disable", this::endKey);
        states.put("entitlement.set", params -> {
            Map<String, Object> given = new HashMap<>(params);
            given.remove("key");
            accountOf(params).enterprise.putAll(given);
            return Map.of();
        });
        states.put("entitlement.get", params -> accountOf(params).enterprise);
    }

    @PostMapping("/_state")
    public ResponseEntity<Map<String, Object>> state(@RequestBody Map<String, Object> asked) {
        Function<Map<String, Object>, Map<String, Object>> state = states.get(String.valueOf(asked.get("state")));
        if (state == null) {
            return ResponseEntity.status(501).body(Map.of("ok", false, "error", "UNSUPPORTED_STATE"));
        }
        try {
            Map<String, Object> answer = new HashMap<>(state.apply(paramsOf(asked)));
            answer.put("ok", true);
            return ResponseEntity.ok(answer);
        } catch (BadRequest fault) {
            return ResponseEntity.badRequest().body(Map.of("ok", false, "error", fault.getMessage()));
        }
    }

    @ExceptionHandler(HttpMessageNotReadableException.class)
    public ResponseEntity<Map<String, Object>> unreadable() {
        return ResponseEntity.badRequest().body(Map.of("ok", false, "error", "the body is not JSON"));
    }

    /** For the filter of your server that authenticates requests. */
    public boolean isActive(String key) {
        return key != null && accounts.containsKey(key) && accounts.get(key).active;
    }

    private Map<String, Object> issue(Map<String, Object> enterprise, int count) {
        List<String> keys = Stream.generate(() -> UUID.randomUUID().toString())
            .limit(Math.min(count, 1_000))
            .collect(Collectors.toList());
        keys.forEach(key -> accounts.put(key, new Account(enterprise)));
        return Map.of("keys", keys);
    }

    private Map<String, Object> endKey(Map<String, Object> params) {
        accountOf(params).active = false;
        return Map.of();
    }

    private Account accountOf(Map<String, Object> params) {
        Object key = params.get("key");
        if (key == null || !accounts.containsKey(String.valueOf(key))) {
            throw new BadRequest("params.key is not a key of this environment");
        }
        return accounts.get(String.valueOf(key));
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> paramsOf(Map<String, Object> asked) {
        Object params = asked.getOrDefault("params", Collections.emptyMap());
        if (!(params instanceof Map)) {
            throw new BadRequest("params is not an object");
        }
        return (Map<String, Object>) params;
    }

    private static int number(Map<String, Object> params, String name, int otherwise) {
        return params.get(name) instanceof Number ? ((Number) params.get(name)).intValue() : otherwise;
    }
}
