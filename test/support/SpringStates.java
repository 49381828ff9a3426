import com.example.partner.StateHandlerController;
import java.util.List;
import java.util.Map;
import org.springframework.http.ResponseEntity;

/** Asks the state handler of the Spring example for states, and prints what it answers, a line each. */
public class SpringStates {
    public static void main(String[] args) {
        StateHandlerController handler = new StateHandlerController();
        ResponseEntity<Map<String, Object>> made = ask(handler, "enterprise.create", Map.of("included_units", 5, "keys", 1));
        Object key = ((List<?>) made.getBody().get("keys")).get(0);
        System.out.println(made.getStatusCode() + " " + made.getBody().get("ok") + " " + handler.isActive(key.toString()));
        ResponseEntity<Map<String, Object>> issued = ask(handler, "keys.issue", Map.of("key", key, "count", 2));
        System.out.println(issued.getStatusCode() + " " + ((List<?>) issued.getBody().get("keys")).size());
        System.out.println(ask(handler, "keys.revoke", Map.of("key", key)).getStatusCode() + " " + handler.isActive(key.toString()));
        System.out.println(ask(handler, "keys.revoke", Map.of("key", "nobody")).getStatusCode());
        ResponseEntity<Map<String, Object>> unknown = ask(handler, "no.such", Map.of());
        System.out.println(unknown.getStatusCode() + " " + unknown.getBody().get("error"));
    }

    private static ResponseEntity<Map<String, Object>> ask(StateHandlerController handler, String state, Map<String, Object> params) {
        return handler.state(Map.of("state", state, "params", params));
    }
}
